/**
 * The backend that runs each child as the init of a container of its own, of an image
 * that is there already, through the client of podman or docker.
 */
@NullMarked
package io.psych.sandbox.backend.container;

import org.jspecify.annotations.NullMarked;
