/**
 * Files of a workspace: those that lie in it before the program begins, and those that
 * are collected from it when nobody of the program is left. Takes a handle on the
 * workspace, hands on names, types and contents.
 */
@NullMarked
package io.psych.sandbox.artifact;

import org.jspecify.annotations.NullMarked;
