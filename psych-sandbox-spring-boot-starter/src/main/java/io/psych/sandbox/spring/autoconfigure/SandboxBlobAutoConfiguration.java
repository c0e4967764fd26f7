package io.psych.sandbox.spring.autoconfigure;

import java.util.Objects;

import io.psych.sandbox.blob.BlobFolderException;
import io.psych.sandbox.blob.BlobStore;
import io.psych.sandbox.blob.FileBlobStore;
import io.psych.sandbox.blob.ListableBlobStore;
import io.psych.sandbox.spring.s3.S3BlobStore;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * {@link AutoConfiguration Auto-configuration} for the {@link BlobStore}.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = SandboxAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "psych.sandbox.enabled", matchIfMissing = true)
@ConditionalOnMissingBean(BlobStore.class)
public final class SandboxBlobAutoConfiguration {

	@Bean
	BlobSweeper psychSandboxBlobSweeper(SandboxProperties properties, ObjectProvider<S3Opener> s3) {
		BlobProperties blob = properties.blob();
		return switch (blob.chosen()) {
			case NONE -> BlobSweeper.NONE;
			case FILE -> BlobSweeper.start(file(blob), blob.retention());
			case S3 -> BlobSweeper.start(s3(blob, s3.getIfAvailable()), blob.retention());
		};
	}

	/**
	 * A {@code null} bean where there is none, which Spring treats as absent.
	 */
	@Bean
	@Nullable BlobStore psychSandboxBlobStore(BlobSweeper sweeper) {
		return sweeper.store();
	}

	private static FileBlobStore file(BlobProperties blob) {
		try {
			return new FileBlobStore(Objects.requireNonNull(blob.folder()));
		}
		catch (BlobFolderException ex) {
			throw new InvalidPropertyException(BlobProperties.PREFIX + ".folder", String.valueOf(blob.folder()),
					ex.problem(), ex.fix());
		}
	}

	private static ListableBlobStore s3(BlobProperties blob, @Nullable S3Opener opener) {
		if (opener == null) {
			throw new InvalidPropertyException(BlobProperties.PREFIX + ".type", "s3",
					"but the AWS SDK for S3 is not on the classpath",
					"Add software.amazon.awssdk:s3 to the dependencies, or set it to file.");
		}
		return opener.open(blob.s3());
	}

	/**
	 * Opens the store in a bucket, without naming a type of the AWS SDK.
	 */
	interface S3Opener {

		ListableBlobStore open(BlobProperties.S3 s3);

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(S3Client.class)
	static final class S3Configuration {

		@Bean
		ClientOpener psychSandboxS3Opener(ObjectProvider<S3Client> clients) {
			return new ClientOpener(clients);
		}

	}

	/**
	 * Opens the store with the client of the application, or with one of its own, which
	 * it closes.
	 */
	static final class ClientOpener implements S3Opener, AutoCloseable {

		private final ObjectProvider<S3Client> clients;

		private @Nullable S3Client own;

		ClientOpener(ObjectProvider<S3Client> clients) {
			this.clients = clients;
		}

		@Override
		public ListableBlobStore open(BlobProperties.S3 s3) {
			S3Client client = s3.setsClient() ? null : this.clients.getIfUnique();
			if (client == null) {
				client = build(s3);
				this.own = client;
			}
			return new S3BlobStore(client, Objects.requireNonNull(s3.bucket()), s3.prefix());
		}

		private static S3Client build(BlobProperties.S3 s3) {
			S3ClientBuilder builder = S3Client.builder().forcePathStyle(s3.pathStyle());
			if (s3.endpoint() != null) {
				// Other servers have no use for a region, and not all know the checksums
				// the SDK adds to what is signed or encrypted anyhow.
				builder.endpointOverride(s3.endpoint())
					.region(Region.US_EAST_1)
					.requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
					.responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED);
			}
			if (s3.region() != null) {
				builder.region(Region.of(s3.region()));
			}
			try {
				return builder.build();
			}
			catch (SdkClientException ex) {
				throw new InvalidPropertyException(BlobProperties.S3.PREFIX + ".region",
						(s3.region() != null) ? s3.region() : "not set",
						"and there is no client for it: " + ex.getMessage(),
						"Set it to the region of the bucket, such as eu-central-1.");
			}
		}

		@Override
		public void close() {
			if (this.own != null) {
				this.own.close();
			}
		}

	}

}
