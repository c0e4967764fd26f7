/**
 * Blobs in a bucket of S3, or of a server that speaks its protocol, by the AWS SDK.
 */
@NullMarked
package io.psych.sandbox.spring.s3;

import org.jspecify.annotations.NullMarked;
