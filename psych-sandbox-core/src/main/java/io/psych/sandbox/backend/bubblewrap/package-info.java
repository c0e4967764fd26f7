/**
 * The backend that launches children through bubblewrap: namespaces of every kind, no
 * capability, a minimal read-only view.
 */
@NullMarked
package io.psych.sandbox.backend.bubblewrap;

import org.jspecify.annotations.NullMarked;
