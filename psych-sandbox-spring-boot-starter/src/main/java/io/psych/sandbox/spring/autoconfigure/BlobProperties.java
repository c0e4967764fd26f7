package io.psych.sandbox.spring.autoconfigure;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;

import io.psych.sandbox.blob.Retention;
import io.psych.sandbox.limits.ByteSize;
import io.psych.sandbox.limits.LimitException;
import io.psych.sandbox.spring.autoconfigure.SandboxProperties.LimitValues;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.convert.DurationUnit;
import org.springframework.util.StringUtils;
import org.springframework.util.unit.DataSize;

/**
 * Where attachments that are too large for the log of a run are stored, and for how long.
 *
 * @param type Where they are stored. When not set, "file" where there is a folder for
 * them and "none" otherwise.
 * @param folder Folder for them, made when it is not there. Hosts that serve the same
 * runs share it.
 * @param maxAge Time after which they are removed. If a duration suffix is not specified,
 * seconds will be used.
 * @param maxTotal Bytes that all of them may have together; the oldest are removed first.
 * @param s3 Settings of the type "s3".
 * @since 0.1.0
 */
public record BlobProperties(@Nullable Type type, @Nullable Path folder,
		@DefaultValue("7d") @DurationUnit(ChronoUnit.SECONDS) Duration maxAge, @DefaultValue("1GB") DataSize maxTotal,
		@DefaultValue S3 s3) {

	static final String PREFIX = SandboxProperties.PREFIX + ".blob";

	public BlobProperties {
		retention(maxAge, maxTotal);
		if (type == Type.FILE && folder == null) {
			throw new InvalidPropertyException(PREFIX + ".folder", "not set", "but psych.sandbox.blob.type is file",
					"Set it to a folder of this service alone.");
		}
		if (type == Type.S3 && s3.bucket() == null) {
			throw new InvalidPropertyException(S3.PREFIX + ".bucket", "not set", "but psych.sandbox.blob.type is s3",
					"Set it to the name of a bucket.");
		}
		if (type == null && s3.bucket() != null) {
			throw new InvalidPropertyException(PREFIX + ".type", "not set",
					"but psych.sandbox.blob.s3.bucket is " + s3.bucket(), "Set it to s3, or remove the bucket.");
		}
	}

	/**
	 * Return where blobs are stored.
	 * @return the type that is set, or what follows from the folder
	 */
	Type chosen() {
		if (this.type != null) {
			return this.type;
		}
		return (this.folder != null) ? Type.FILE : Type.NONE;
	}

	/**
	 * Return how long and how much is kept.
	 * @return the retention
	 */
	Retention retention() {
		return retention(this.maxAge, this.maxTotal);
	}

	private static Retention retention(Duration maxAge, DataSize maxTotal) {
		try {
			return new Retention(maxAge,
					LimitValues.bytes(maxTotal, ByteSize.ofMebibytes(1024), PREFIX + ".max-total"));
		}
		catch (LimitException ex) {
			throw InvalidPropertyException.of(PREFIX, ex);
		}
	}

	/**
	 * Where blobs are stored.
	 */
	public enum Type {

		/** Nowhere: of what is large only a preview is kept. */
		NONE,

		/** In files below a folder. */
		FILE,

		/** In a bucket of S3, or of a server that speaks its protocol. */
		S3

	}

	/**
	 * A bucket of S3, or of a server that speaks its protocol. Credentials are taken from
	 * where the AWS SDK looks for them.
	 *
	 * @param bucket Name of the bucket, which must exist.
	 * @param prefix Beginning of the keys of all objects.
	 * @param endpoint URL of the server where it is not that of AWS.
	 * @param region Region of the bucket. Taken from where the AWS SDK looks for it when
	 * not set.
	 * @param pathStyle Whether the bucket is named in the path of URLs, not in their
	 * host.
	 */
	public record S3(@Nullable String bucket, @DefaultValue("psych-sandbox/") String prefix, @Nullable URI endpoint,
			@Nullable String region, boolean pathStyle) {

		static final String PREFIX = BlobProperties.PREFIX + ".s3";

		/** S3 allows 1,024 bytes, of which an address takes 64. */
		private static final int MOST_PREFIX = 960;

		public S3 {
			if (bucket != null && !bucket.matches("[A-Za-z0-9][A-Za-z0-9._:/-]+")) {
				throw new InvalidPropertyException(PREFIX + ".bucket", bucket, "which can't be the name of a bucket",
						"Set it to the name alone.");
			}
			if (prefix.startsWith("/") || prefix.chars().anyMatch(Character::isISOControl)
					|| prefix.getBytes(StandardCharsets.UTF_8).length > MOST_PREFIX) {
				throw new InvalidPropertyException(PREFIX + ".prefix", prefix,
						"which begins with a slash, has control characters, or is longer than " + MOST_PREFIX
								+ " bytes",
						"Set it to a prefix such as psych-sandbox/.");
			}
			if (endpoint != null) {
				checkEndpoint(endpoint);
			}
			if (region != null && !StringUtils.hasText(region)) {
				throw new InvalidPropertyException(PREFIX + ".region", "'" + region + "'", "which is blank",
						"Set it to the region of the bucket, such as eu-central-1.");
			}
		}

		/**
		 * Return whether there is something that takes a client of our own.
		 * @return whether endpoint, region or path style are set
		 */
		boolean setsClient() {
			return this.endpoint != null || this.region != null || this.pathStyle;
		}

		private static void checkEndpoint(URI endpoint) {
			boolean isWeb = "https".equalsIgnoreCase(endpoint.getScheme())
					|| "http".equalsIgnoreCase(endpoint.getScheme());
			if (!isWeb || endpoint.getHost() == null || endpoint.getRawUserInfo() != null
					|| endpoint.getRawQuery() != null) {
				boolean isSecret = endpoint.toString().contains("@");
				throw new InvalidPropertyException(PREFIX + ".endpoint",
						isSecret ? CredentialProperties.HIDDEN : endpoint.toString(),
						"which is not https or http with a host, and at most a port and a path",
						"Set it to a URL such as https://s3.example.org:9000.");
			}
		}

	}

}
