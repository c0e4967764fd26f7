package io.psych.sandbox.spring.autoconfigure;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.psych.sandbox.blob.BlobAddress;
import io.psych.sandbox.blob.BlobStore;
import io.psych.sandbox.blob.FileBlobStore;
import io.psych.sandbox.spring.s3.S3Server;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.S3Object;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.autoconfigure.contributor.HealthContributorAutoConfiguration;
import org.springframework.boot.health.autoconfigure.registry.HealthContributorRegistryAutoConfiguration;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

/**
 * Tests for {@link SandboxBlobAutoConfiguration}.
 */
class SandboxBlobAutoConfigurationTests {

	private static final BlobAddress ADDRESS = BlobAddress.of("acme", "run:1", "artifact-1");

	private static final byte[] CONTENT = new byte[3_000_000];

	static {
		Arrays.fill(CONTENT, (byte) 7);
	}

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(SandboxAutoConfiguration.class, SandboxBlobAutoConfiguration.class,
				SandboxHealthAutoConfiguration.class, HealthContributorAutoConfiguration.class,
				HealthContributorRegistryAutoConfiguration.class))
		.withPropertyValues(TestHost.PROPERTIES)
		.withPropertyValues("psych.sandbox.backend=process");

	@TempDir
	private Path temp;

	@Test
	void runWithoutPropertiesHasNoStoreAndHealthSaysSo() {
		this.runner.run((context) -> {
			assertThat(context.getBeanProvider(BlobStore.class).getIfAvailable()).isNull();
			assertThat(health(context)).isEqualTo("none: only what is small is kept");
		});
	}

	@Test
	void runWithFolderStoresInFiles() {
		Path folder = this.temp.resolve("blobs");
		this.runner.withPropertyValues("psych.sandbox.blob.folder=" + folder).run((context) -> {
			assertStores(context.getBean(BlobStore.class));
			assertThat(health(context)).isEqualTo("file, in " + folder.toRealPath());
		});
		assertThat(folder).isDirectoryRecursivelyContaining("glob:**/" + ADDRESS.key());
	}

	@Test
	void runWithTypeNoneHasNoStoreWhateverElseIsSet() {
		this.runner
			.withPropertyValues("psych.sandbox.blob.type=none", "psych.sandbox.blob.folder=" + this.temp.resolve("no"))
			.run((context) -> assertThat(context.getBeanProvider(BlobStore.class).getIfAvailable()).isNull());
		assertThat(this.temp.resolve("no")).doesNotExist();
	}

	@Test
	void runRemovesWhatIsTooOldAtItsStart() throws Exception {
		FileBlobStore files = new FileBlobStore(this.temp);
		Path old = stored(files, "old", Duration.ofHours(3));
		Path young = stored(files, "young", Duration.ofHours(1));
		this.runner
			.withPropertyValues("psych.sandbox.blob.folder=" + this.temp, "psych.sandbox.blob.max-age=2h",
					"psych.sandbox.blob.max-total=1MB")
			.run((context) -> {
				long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
				while (Files.exists(old) && System.nanoTime() < end) {
					Thread.onSpinWait();
				}
				assertThat(old).doesNotExist();
				assertThat(young).exists();
				BlobStore store = context.getBean(BlobStore.class);
				assertThatIOException()
					.isThrownBy(() -> store.put(ADDRESS, new ByteArrayInputStream(CONTENT), CONTENT.length))
					.withMessageContaining("1 MiB");
			});
	}

	@Test
	void sweeperEndsWithTheApplication() {
		// Those of other applications may only just have been told to end.
		List<Thread> before = sweepers();
		this.runner.withPropertyValues("psych.sandbox.blob.folder=" + this.temp).run((context) -> {
			List<Thread> own = new ArrayList<>(sweepers());
			own.removeAll(before);
			assertThat(own).hasSize(1);
			context.close();
			own.get(0).join(Duration.ofSeconds(30).toMillis());
			assertThat(own.get(0).isAlive()).isFalse();
		});
	}

	@Test
	void runWithBucketStoresThereWithAClientOfItsOwn() throws Exception {
		try (S3Server server = new S3Server(); S3Client client = server.client()) {
			client.createBucket((request) -> request.bucket("attachments"));
			this.runner
				.withSystemProperties("aws.accessKeyId=" + S3Server.KEY_ID, "aws.secretAccessKey=" + S3Server.SECRET)
				.withPropertyValues("psych.sandbox.blob.type=s3", "psych.sandbox.blob.s3.bucket=attachments",
						"psych.sandbox.blob.s3.endpoint=" + server.endpoint(), "psych.sandbox.blob.s3.path-style=true")
				.run((context) -> {
					assertStores(context.getBean(BlobStore.class));
					assertThat(health(context)).isEqualTo("s3, in bucket attachments below psych-sandbox/");
				});
			assertThat(client.listObjectsV2((request) -> request.bucket("attachments")).contents())
				.extracting(S3Object::key)
				.containsExactly("psych-sandbox/" + ADDRESS.key());
		}
	}

	@Test
	void runWithBucketUsesTheClientOfTheApplicationAndLeavesItOpen() throws Exception {
		try (S3Server server = new S3Server(); S3Client client = server.client()) {
			client.createBucket((request) -> request.bucket("attachments"));
			this.runner.withBean("s3Client", S3Client.class, () -> client, (bean) -> bean.setDestroyMethodName(""))
				.withPropertyValues("psych.sandbox.blob.type=s3", "psych.sandbox.blob.s3.bucket=attachments",
						"psych.sandbox.blob.s3.prefix=")
				.run((context) -> assertStores(context.getBean(BlobStore.class)));
			assertThat(client.listObjectsV2((request) -> request.bucket("attachments")).contents())
				.extracting(S3Object::key)
				.containsExactly(ADDRESS.key());
		}
	}

	@Test
	void runWhenApplicationHasAStoreBacksOff() throws IOException {
		BlobStore own = new FileBlobStore(this.temp.resolve("own"));
		this.runner.withBean(BlobStore.class, () -> own)
			.withPropertyValues("psych.sandbox.blob.folder=" + this.temp.resolve("other"))
			.run((context) -> {
				assertThat(context.getBean(BlobStore.class)).isSameAs(own);
				assertThat(health(context)).isEqualTo(own.description());
			});
		assertThat(this.temp.resolve("other")).doesNotExist();
	}

	@Test
	void runWithoutTheSdkStoresInFilesAndNamesItForS3() {
		ApplicationContextRunner without = this.runner
			.withClassLoader(new FilteredClassLoader("software.amazon.awssdk"));
		without.run((context) -> assertThat(context).hasNotFailed());
		without.withPropertyValues("psych.sandbox.blob.folder=" + this.temp)
			.run((context) -> assertStores(context.getBean(BlobStore.class)));
		without.withPropertyValues("psych.sandbox.blob.type=s3", "psych.sandbox.blob.s3.bucket=attachments")
			.run((context) -> assertRefused(context, "psych.sandbox.blob.type", "s3",
					"Add software.amazon.awssdk:s3 to the dependencies"));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = { "type=file | folder | not set | Set it to a folder",
			"type=s3 | s3.bucket | not set | Set it to the name of a bucket",
			"s3.bucket=attachments | type | not set | Set it to s3",
			"s3.bucket=a b | s3.bucket | a b | Set it to the name alone", "max-age=0 | max-age | PT0S | Set it to 7d",
			"max-total=0B | max-total | 0B | Set it to 1KB or more",
			"folder=/proc/self/blobs | folder | /proc/self/blobs | Set it to a folder that this service may write in",
			"s3.prefix=/blobs | s3.prefix | /blobs | Set it to a prefix such as",
			"s3.endpoint=ftp://a.test | s3.endpoint | ftp://a.test | Set it to a URL such as",
			"s3.endpoint=https://me:s3cr3t@a.test | s3.endpoint | ****** | Set it to a URL such as" })
	void runWhenPropertyCanNotWorkNamesItsValueAndTheFix(String pair, String property, String value, String fix) {
		this.runner.withPropertyValues("psych.sandbox.blob." + pair)
			.run((context) -> assertRefused(context, "psych.sandbox.blob." + property, value, fix));
	}

	@Test
	void runWithoutAnyRegionNamesTheProperty() {
		this.runner.withSystemProperties("aws.disableEc2Metadata=true", "aws.configFile=/no/such/file")
			.withPropertyValues("psych.sandbox.blob.type=s3", "psych.sandbox.blob.s3.bucket=attachments")
			.run((context) -> assertRefused(context, "psych.sandbox.blob.s3.region", "not set",
					"Set it to the region of the bucket"));
	}

	private static void assertRefused(AssertableApplicationContext context, String property, String value, String fix) {
		assertThat(context).hasFailed();
		Throwable failure = context.getStartupFailure();
		while (failure.getCause() != null && !(failure instanceof InvalidPropertyException)) {
			failure = failure.getCause();
		}
		assertThat(failure).isInstanceOfSatisfying(InvalidPropertyException.class, (ex) -> {
			assertThat(ex.property()).isEqualTo(property);
			assertThat(ex.value()).isEqualTo(value);
			assertThat(ex.fix()).startsWith(fix);
		});
	}

	private static void assertStores(BlobStore store) throws IOException {
		store.put(ADDRESS, new ByteArrayInputStream(CONTENT), CONTENT.length);
		assertThat(store.read(ADDRESS, 0, Integer.MAX_VALUE)).isEqualTo(CONTENT);
		store.put(ADDRESS, new ByteArrayInputStream(new byte[5]), 5);
		assertThat(store.read(ADDRESS, 1, 100)).isEqualTo(new byte[4]);
	}

	private static Object health(AssertableApplicationContext context) {
		return context.getBean("psychSandboxHealthIndicator", HealthIndicator.class).health().getDetails().get("blobs");
	}

	private Path stored(FileBlobStore files, String handle, Duration ago) throws IOException {
		BlobAddress address = BlobAddress.of("acme", "run:1", handle);
		files.put(address, new ByteArrayInputStream(new byte[10]), 10);
		Path file = this.temp.resolve(address.key().substring(0, 2)).resolve(address.key());
		return Files.setLastModifiedTime(file, FileTime.from(Instant.now().minus(ago)));
	}

	private static List<Thread> sweepers() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> thread.getName().equals("psych-sandbox-blobs"))
			.toList();
	}

}
