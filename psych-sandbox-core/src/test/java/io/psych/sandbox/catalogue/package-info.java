/**
 * The catalogue of hostile programs: one file a row, what each backend must make of it in
 * its head, and the page that tells what was measured.
 */
@NullMarked
package io.psych.sandbox.catalogue;

import org.jspecify.annotations.NullMarked;
