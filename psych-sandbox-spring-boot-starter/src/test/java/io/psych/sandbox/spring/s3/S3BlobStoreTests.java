package io.psych.sandbox.spring.s3;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;

import com.sun.net.httpserver.HttpServer;
import io.psych.sandbox.blob.AbstractBlobStoreTests;
import io.psych.sandbox.blob.BlobAddress;
import io.psych.sandbox.blob.BlobStore;
import io.psych.sandbox.blob.RetainedBlobStore;
import io.psych.sandbox.blob.Retention;
import io.psych.sandbox.blob.StoredBlob;
import io.psych.sandbox.limits.ByteSize;
import org.assertj.core.util.Throwables;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Tests for {@link S3BlobStore} with a real server and the real client.
 */
@Tag("once")
class S3BlobStoreTests extends AbstractBlobStoreTests {

	private static final String PREFIX = "agents/blobs/";

	private static S3Server server;

	private static S3Client client;

	private final String bucket = "bucket-" + UUID.randomUUID();

	private boolean bucketIsThere;

	@BeforeAll
	static void startServer() throws Exception {
		server = new S3Server();
		client = server.client();
	}

	@AfterAll
	static void stopServer() throws Exception {
		client.close();
		server.close();
	}

	@Override
	protected synchronized S3BlobStore store() {
		if (!this.bucketIsThere) {
			client.createBucket((request) -> request.bucket(this.bucket));
			this.bucketIsThere = true;
		}
		return new S3BlobStore(client, this.bucket, PREFIX);
	}

	@Test
	void objectsHaveThePrefixAndOthersAreNotTouched() throws Exception {
		S3BlobStore store = store();
		put(store, bytes(10));
		for (String foreign : List.of(ADDRESS.key(), PREFIX + "notes.txt", PREFIX + "sub/" + ADDRESS.key())) {
			client.putObject((request) -> request.bucket(this.bucket).key(foreign), RequestBody.fromString("mine"));
		}
		assertThat(client.listObjectsV2((request) -> request.bucket(this.bucket)).contents()).hasSize(4)
			.anyMatch((object) -> object.key().equals(PREFIX + ADDRESS.key()));
		assertThat(listed()).extracting(StoredBlob::address).containsExactly(ADDRESS);
		new RetainedBlobStore(store, new Retention(Duration.ofDays(1), ByteSize.ofBytes(9))).sweep();
		assertThat(client.listObjectsV2((request) -> request.bucket(this.bucket)).contents()).hasSize(3)
			.noneMatch((object) -> object.key().equals(PREFIX + ADDRESS.key()));
	}

	@Test
	void sweepSeesAllPagesOfTheList() throws Exception {
		S3BlobStore store = store();
		// A page has at most a thousand.
		int blobs = 1_005;
		Set<BlobAddress> addresses = new HashSet<>();
		for (int i = 0; i < blobs; i++) {
			BlobAddress address = BlobAddress.of("acme", "run:1", "artifact-" + i);
			addresses.add(address);
			store.put(address, new ByteArrayInputStream(bytes(1)), 1);
		}
		assertThat(listed().stream().map(StoredBlob::address).collect(Collectors.toSet())).isEqualTo(addresses);
		Clock later = Clock.offset(Clock.systemUTC(), Duration.ofDays(8));
		RetainedBlobStore retained = new RetainedBlobStore(store,
				new Retention(Duration.ofDays(7), ByteSize.ofMebibytes(1)), later, Runnable::run);
		assertThat(retained.sweep()).isEqualTo(blobs);
		assertThat(listed()).isEmpty();
	}

	@Test
	void contentIsReadOnlyAsFarAsWanted() throws Exception {
		S3BlobStore store = store();
		byte[] content = bytes(5_000_000);
		put(store, content);
		for (int i = 0; i < 100; i++) {
			// More often than there are connections: each must be given back.
			try (InputStream open = store.open(ADDRESS)) {
				assertThat(open.read()).isEqualTo(content[0] & 0xff);
			}
		}
	}

	@Test
	void whatTheServerRefusesIsToldWithoutCredentials() throws Exception {
		put(store(), bytes(10));
		try (S3Client wrong = S3Server.client(server.endpoint(), "wr0ng-secret")) {
			BlobStore store = new S3BlobStore(wrong, this.bucket, PREFIX);
			assertRefused(() -> store.read(ADDRESS, 0, 10), "S3 answered 403 SignatureDoesNotMatch");
			assertRefused(() -> store.open(ADDRESS), "S3 answered 403");
			assertRefused(() -> put(store, bytes(10)), "S3 answered 403");
			// It may have hung up before it was read to its end.
			assertRefused(() -> put(store, bytes(2_000_000)), ": S3 ");
			assertRefused(() -> store.delete(ADDRESS), "S3 answered 403");
			assertRefused(() -> new S3BlobStore(wrong, this.bucket, PREFIX).list((blob) -> {
			}), "S3 answered 403");
		}
	}

	@Test
	void bucketThatIsNotThereIsNotTakenForAMissingBlob() {
		BlobStore store = new S3BlobStore(client, "no-such-bucket", PREFIX);
		assertRefused(() -> store.read(ADDRESS, 0, 10), "S3 answered 404 NoSuchBucket");
		assertRefused(() -> put(store, bytes(10)), "S3 answered 404 NoSuchBucket");
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 1_000_000, 3_000_000 })
	void contentIsSentAgainWhenAnAttemptFails(int size) throws Exception {
		List<String> sizes = new CopyOnWriteArrayList<>();
		HttpServer busy = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		busy.createContext("/", (exchange) -> {
			exchange.getRequestBody().readAllBytes();
			sizes.add(exchange.getRequestHeaders().getFirst("x-amz-decoded-content-length"));
			exchange.sendResponseHeaders((sizes.size() < 3) ? 503 : 200, -1);
			exchange.close();
		});
		busy.start();
		try (S3Client client = S3Server.client(URI.create("http://127.0.0.1:" + busy.getAddress().getPort()),
				S3Server.SECRET)) {
			put(new S3BlobStore(client, this.bucket, PREFIX), bytes(size));
		}
		finally {
			busy.stop(0);
		}
		assertThat(sizes).containsExactly(String.valueOf(size), String.valueOf(size), String.valueOf(size));
	}

	@Test
	void serverThatIsNotThereIsTold() throws Exception {
		URI nobody;
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			nobody = URI.create("http://127.0.0.1:" + socket.getLocalPort());
		}
		try (S3Client lost = S3Server.client(nobody, S3Server.SECRET)) {
			BlobStore store = new S3BlobStore(lost, this.bucket, PREFIX);
			assertRefused(() -> store.read(ADDRESS, 0, 10), "S3 can't be asked");
			assertRefused(() -> put(store, bytes(2_000_000)), "S3 can't be asked");
		}
	}

	@Test
	void serverThatNeverAnswersIsWaitedForAWhile() throws Exception {
		try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
				S3Client waiting = S3Server.client(URI.create("http://127.0.0.1:" + silent.getLocalPort()),
						S3Server.SECRET)) {
			BlobStore store = new S3BlobStore(waiting, this.bucket, PREFIX, Duration.ofMillis(300));
			assertRefused(() -> store.read(ADDRESS, 0, 10), "S3 can't be asked");
			assertRefused(() -> store.open(ADDRESS), "S3 can't be asked");
			assertRefused(() -> put(store, bytes(10)), "S3 can't be asked");
			assertRefused(() -> put(store, bytes(2_000_000)), "S3 can't be asked");
			assertThat(Thread.interrupted()).isFalse();
		}
	}

	@Test
	void interruptedCallerIsToldAndStaysInterrupted() throws Exception {
		S3BlobStore store = store();
		Thread.currentThread().interrupt();
		try {
			assertThatExceptionOfType(InterruptedIOException.class).isThrownBy(() -> store.read(ADDRESS, 0, 1));
			assertThat(Thread.currentThread().isInterrupted()).isTrue();
		}
		finally {
			Thread.interrupted();
		}
	}

	@Test
	void descriptionNamesBucketAndPrefix() {
		assertThat(new S3BlobStore(client, "attachments", PREFIX).description())
			.isEqualTo("s3, in bucket attachments below agents/blobs/");
	}

	private interface Question {

		void ask() throws IOException;

	}

	private static void assertRefused(Question question, String message) {
		Throwable failure = catchThrowable(question::ask);
		assertThat(failure).isInstanceOf(IOException.class).hasMessageContaining(message);
		assertThat(Throwables.getStackTrace(failure)).doesNotContain(S3Server.SECRET, S3Server.KEY_ID, "wr0ng-secret");
	}

}
