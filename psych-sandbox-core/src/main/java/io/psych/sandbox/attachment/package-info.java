/**
 * What an execution leaves behind, kept under handles and read back by them. Takes
 * content, hands on an {@link io.psych.sandbox.contract.Attachment}; a handle leads back
 * to the content only through what its own run recorded.
 */
@NullMarked
package io.psych.sandbox.attachment;

import org.jspecify.annotations.NullMarked;
