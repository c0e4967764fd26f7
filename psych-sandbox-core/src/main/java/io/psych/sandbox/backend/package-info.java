/**
 * What a mechanism of isolation is, how it is proved and how one is selected. Takes the
 * limits of an execution, hands on a started child whose channel is waiting, and grades
 * what the child observed. Its own packages below hold one mechanism each and never meet.
 */
@NullMarked
package io.psych.sandbox.backend;

import org.jspecify.annotations.NullMarked;
