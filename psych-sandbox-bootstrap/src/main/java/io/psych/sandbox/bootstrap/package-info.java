/**
 * The Python side of the product: the sources of the child, as resources, and the class
 * that hands them out.
 */
@NullMarked
package io.psych.sandbox.bootstrap;

import org.jspecify.annotations.NullMarked;
