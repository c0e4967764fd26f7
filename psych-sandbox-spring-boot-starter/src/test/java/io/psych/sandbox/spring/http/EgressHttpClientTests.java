package io.psych.sandbox.spring.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ProxySelector;
import java.net.ServerSocket;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.psych.sandbox.contract.CallState;
import io.psych.sandbox.contract.ToolFailureKind;
import io.psych.sandbox.egress.AddressRange;
import io.psych.sandbox.egress.Egress;
import io.psych.sandbox.egress.EgressRule;
import io.psych.sandbox.egress.EgressRules;
import io.psych.sandbox.limits.ByteSize;
import io.psych.sandbox.tool.ToolCallException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

import org.springframework.boot.ssl.DefaultSslBundleRegistry;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * Tests for {@link EgressHttpClient} with real servers and proxies on loopback.
 */
@Timeout(60)
@ExtendWith(OutputCaptureExtension.class)
class EgressHttpClientTests {

	private static final String SECRET = "s3cr3t-t0ken-value";

	private static final ProxySelector DIRECT = ProxySelector.of(null);

	private final List<EgressHttpClient> clients = new ArrayList<>();

	@AfterEach
	void closeClients() {
		this.clients.forEach(EgressHttpClient::close);
	}

	@Test
	void sendMakesTheRequestAndReturnsTheWholeAnswer() throws Exception {
		try (LocalServer server = LocalServer.start((exchange) -> {
			exchange.getResponseHeaders().add("X-Two", "a");
			exchange.getResponseHeaders().add("X-Two", "b");
			LocalServer.answer(exchange, 201, "application/json", "{\"id\": 7}");
		})) {
			HttpAnswer answer = client().send(HttpCall.of("POST", server.uri("/orders?x=%20y"))
				.header("X-Tenant", "acme")
				.credential(Credential.bearer(SECRET))
				.body("{}".getBytes(StandardCharsets.UTF_8), "application/json"));
			assertThat(answer.status()).isEqualTo(201);
			assertThat(answer.isSuccess()).isTrue();
			assertThat(answer.header("x-two")).isEqualTo("a, b");
			assertThat(answer.uri()).isEqualTo(server.uri("/orders?x=%20y"));
			assertThat(text(answer)).isEqualTo("{\"id\": 7}");
			LocalServer.Request request = server.only();
			assertThat(request.method()).isEqualTo("POST");
			assertThat(request.uri()).hasToString("/orders?x=%20y");
			assertThat(request.body()).isEqualTo("{}");
			assertThat(request.headers()).containsEntry("Authorization", List.of("Bearer " + SECRET))
				.containsEntry("X-tenant", List.of("acme"))
				.containsEntry("User-agent", List.of("psych-sandbox"))
				.containsEntry("Host", List.of("127.0.0.1:" + server.port()))
				.containsEntry("Content-type", List.of("application/json"))
				.doesNotContainKey("Upgrade")
				.doesNotContainKey("Cookie");
		}
	}

	@Test
	void sendReachesAnAddressOfIpv6() throws Exception {
		assumeThat(hasIpv6()).as("this host has IPv6").isTrue();
		try (LocalServer server = LocalServer.start("::1", 0,
				(exchange) -> LocalServer.answer(exchange, 200, null, "ok"))) {
			URI uri = URI.create("http://[::1]:" + server.port() + "/");
			assertThat(text(client(rules("http://[::1]:*", "::1"), DIRECT).send(HttpCall.of("GET", uri))))
				.isEqualTo("ok");
			assertThat(server.only().headers()).containsEntry("Host", List.of("[0:0:0:0:0:0:0:1]:" + server.port()));
		}
	}

	private static boolean hasIpv6() {
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName("::1"))) {
			return socket.isBound();
		}
		catch (IOException ex) {
			return false;
		}
	}

	@Test
	void sendUsesAConnectionAgain() throws Exception {
		try (LocalServer server = LocalServer.start((exchange) -> LocalServer.answer(exchange, 200, null, "ok"))) {
			EgressHttpClient client = client();
			client.send(HttpCall.of("GET", server.uri("/")));
			client.send(HttpCall.of("GET", server.uri("/")));
			assertThat(server.requests()).hasSize(2)
				.extracting(LocalServer.Request::clientPort)
				.containsOnly(server.requests().get(0).clientPort());
		}
	}

	@Test
	void sendUsesAConnectionAgainAfterACompressedAnswer() throws Exception {
		byte[] compressed = gzip("hello".getBytes(StandardCharsets.UTF_8));
		try (LocalServer server = encoded("gzip", compressed)) {
			EgressHttpClient client = client();
			client.send(HttpCall.of("GET", server.uri("/")));
			client.send(HttpCall.of("GET", server.uri("/")));
			assertThat(server.requests().get(1).clientPort()).isEqualTo(server.requests().get(0).clientPort());
		}
	}

	@Test
	void sendKeepsNoCookie() throws Exception {
		try (LocalServer server = LocalServer.start((exchange) -> {
			exchange.getResponseHeaders().add("Set-Cookie", "a=b");
			LocalServer.answer(exchange, 200, null, "ok");
		})) {
			EgressHttpClient client = client();
			client.send(HttpCall.of("GET", server.uri("/")));
			client.send(HttpCall.of("GET", server.uri("/")));
			assertThat(server.requests().get(1).headers()).doesNotContainKey("Cookie");
		}
	}

	@Test
	void sendWhenDestinationIsNotAllowedConnectsToNothing() throws Exception {
		try (LocalServer server = LocalServer.start((exchange) -> LocalServer.answer(exchange, 200, null, "ok"))) {
			ToolCallException failure = failure(client(Egress.DENIED), HttpCall.of("GET", server.uri("/")));
			assertThat(failure.kind()).isEqualTo(ToolFailureKind.DENIED);
			assertThat(server.requests()).isEmpty();
		}
	}

	@ParameterizedTest
	@CsvSource({ "301, GET, GET, ''", "301, POST, GET, ''", "301, PUT, PUT, body", "302, POST, GET, ''",
			"302, DELETE, DELETE, body", "303, POST, GET, ''", "303, PUT, GET, ''", "303, GET, GET, ''",
			"307, POST, POST, body", "307, GET, GET, ''", "308, PATCH, PATCH, body" })
	void redirectKeepsOrChangesTheMethodAsTheStatusSays(int status, String method, String expected, String body)
			throws Exception {
		try (LocalServer server = LocalServer.start((exchange) -> {
			if (exchange.getRequestURI().getPath().equals("/from")) {
				LocalServer.redirect(exchange, status, "/to?a=b#fragment");
			}
			else {
				LocalServer.answer(exchange, 200, null, "ok");
			}
		})) {
			HttpCall call = HttpCall.of(method, server.uri("/from")).header("X-Tenant", "acme");
			if (!method.equals("GET")) {
				call = call.body("body".getBytes(StandardCharsets.UTF_8), "text/plain");
			}
			HttpAnswer answer = client().send(call.credential(Credential.bearer(SECRET)));
			assertThat(answer.uri()).isEqualTo(server.uri("/to?a=b"));
			LocalServer.Request last = server.requests().get(1);
			assertThat(last.method()).isEqualTo(expected);
			assertThat(last.uri()).hasToString("/to?a=b");
			assertThat(last.body()).isEqualTo(body);
			assertThat(last.headers()).containsEntry("Authorization", List.of("Bearer " + SECRET))
				.containsEntry("X-tenant", List.of("acme"));
			assertThat(last.headers().containsKey("Content-type")).isEqualTo(!body.isEmpty());
		}
	}

	@Test
	void redirectToAnotherOriginTakesNeitherCredentialNorHeaders() throws Exception {
		try (LocalServer other = LocalServer.start((exchange) -> LocalServer.answer(exchange, 200, null, "ok"));
				LocalServer server = LocalServer
					.start((exchange) -> LocalServer.redirect(exchange, 307, other.uri("/").toString()))) {
			client().send(HttpCall.of("POST", server.uri("/"))
				.header("X-Tenant", "acme")
				.credential(Credential.of("X-Api-Key", SECRET))
				.body("body".getBytes(StandardCharsets.UTF_8), "text/plain"));
			assertThat(server.only().headers()).containsKey("X-api-key");
			assertThat(other.only().headers()).doesNotContainKey("X-api-key")
				.doesNotContainKey("X-tenant")
				.doesNotContainKey("Referer");
			assertThat(other.only().headers().toString()).doesNotContain(SECRET);
			assertThat(other.only().body()).isEqualTo("body");
		}
	}

	@Test
	void redirectToAnotherOriginAndBackTakesNoCredentialEither() throws Exception {
		AtomicReference<URI> back = new AtomicReference<>();
		try (LocalServer other = LocalServer
			.start((exchange) -> LocalServer.redirect(exchange, 302, back.get().toString()));
				LocalServer server = LocalServer.start((exchange) -> {
					if (exchange.getRequestURI().getPath().equals("/from")) {
						LocalServer.redirect(exchange, 302, other.uri("/").toString());
					}
					else {
						LocalServer.answer(exchange, 200, null, "ok");
					}
				})) {
			back.set(server.uri("/to"));
			client().send(HttpCall.of("GET", server.uri("/from")).credential(Credential.bearer(SECRET)));
			assertThat(server.requests().get(1).headers()).doesNotContainKey("Authorization");
		}
	}

	@ParameterizedTest
	@CsvSource({ "5, true", "6, false" })
	void redirectsAreFollowedUpToABound(int redirects, boolean followed) throws Exception {
		try (LocalServer server = LocalServer.start((exchange) -> {
			int left = Integer.parseInt(exchange.getRequestURI().getPath().substring(1));
			if (left > 0) {
				LocalServer.redirect(exchange, 302, "/" + (left - 1));
			}
			else {
				LocalServer.answer(exchange, 200, null, "ok");
			}
		})) {
			HttpCall call = HttpCall.of("GET", server.uri("/" + redirects));
			if (followed) {
				assertThat(text(client().send(call))).isEqualTo("ok");
			}
			else {
				ToolCallException failure = failure(client(), call);
				assertThat(failure.kind()).isEqualTo(ToolFailureKind.TOOL_ERROR);
				assertThat(failure).hasMessageContaining("more than 5 times");
			}
			assertThat(server.requests()).hasSize(6);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "http://127.0.0.1:%d/", "//127.0.0.1:%d/", "http://localhost:%d/",
			"http://[::ffff:127.0.0.1]:%d/", "http://[::1]:%d/", "http://2130706433:%d/", "http://0x7f000001:%d/",
			"http://0177.0.0.1:%d/", "http://127.1:%d/", "http://0.0.0.0:%d/", "http://user@127.0.0.2:%d/",
			"http://127.0.0.2@127.0.0.1:%d/", "http://169.254.169.254/latest/meta-data/", "file:///etc/passwd",
			"ftp://127.0.0.1:%d/", "gopher://127.0.0.1:%d/", "http:///etc/passwd" })
	void redirectIsDecidedOnFromTheStart(String location) throws Exception {
		try (LocalServer secret = LocalServer.start((exchange) -> LocalServer.answer(exchange, 200, null, "secret"));
				LocalServer server = LocalServer.start("127.0.0.2", 0,
						(exchange) -> LocalServer.redirect(exchange, 302, location.formatted(secret.port())))) {
			EgressHttpClient client = client(rules("http://127.0.0.2:*", "127.0.0.2"), DIRECT);
			ToolCallException failure = failure(client, HttpCall.of("GET", server.uri("/")));
			assertThat(failure.kind()).isEqualTo(ToolFailureKind.DENIED);
			assertThat(failure).hasMessageContaining("was made and answered with a redirect, which is not followed");
			assertThat(failure.state()).as("it was not refused before it ran").isEqualTo(CallState.FAILED);
			assertThat(secret.requests()).isEmpty();
			assertThat(server.requests()).hasSize(1);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "http://a b/", "http://[/", "%zz" })
	void redirectToWhatIsNoUrlIsAnError(String location) throws Exception {
		try (LocalServer server = LocalServer.start((exchange) -> LocalServer.redirect(exchange, 302, location))) {
			assertThat(failure(client(), HttpCall.of("GET", server.uri("/"))).kind())
				.isEqualTo(ToolFailureKind.TOOL_ERROR);
		}
	}

	@Test
	void redirectWhoseBodyIsNotReadHoldsNoConnection() throws Exception {
		try (LocalServer server = LocalServer.start((exchange) -> {
			if (exchange.getRequestURI().getPath().equals("/from")) {
				exchange.getResponseHeaders().add("Location", "/to");
				LocalServer.answer(exchange, 302, "text/html", "moved");
			}
			else {
				LocalServer.answer(exchange, 200, null, "ok");
			}
		})) {
			EgressHttpClient client = client();
			// More than there may be connections to one place.
			for (int i = 0; i < 100; i++) {
				assertThat(text(client.send(HttpCall.of("GET", server.uri("/from"))))).isEqualTo("ok");
			}
		}
	}

	@Test
	void redirectFromAPublicServiceLeadsToPublicAddressesOnly() throws Exception {
		try (LocalServer intranet = LocalServer.start((exchange) -> LocalServer.answer(exchange, 200, null, "secret"));
				LocalServer server = LocalServer.start("127.0.0.2", 0,
						(exchange) -> LocalServer.redirect(exchange, 302, intranet.uri("/").toString()))) {
			Egress rules = rules("http://*:*", "127.0.0.0/8");
			EgressHttpClient client = client(new Exchange.Parties(rules, HostResolver.SYSTEM, DIRECT,
					(address) -> address.getHostAddress().equals("127.0.0.2")));
			ToolCallException failure = failure(client, HttpCall.of("GET", server.uri("/")));
			assertThat(failure.kind()).isEqualTo(ToolFailureKind.DENIED);
			assertThat(failure).hasMessageContaining("a public service redirected to an address that is not public");
			assertThat(intranet.requests()).isEmpty();
			assertThat(text(client.send(HttpCall.of("GET", intranet.uri("/"))))).isEqualTo("secret");
		}
	}

	@Test
	void redirectThatGivesUpEncryptionIsRefused(@TempDir Path folder) throws Exception {
		DefaultSslBundleRegistry bundles = new DefaultSslBundleRegistry("mine",
				TestCertificates.make(folder, "ip:127.0.0.1"));
		try (LocalServer plain = LocalServer.start((exchange) -> LocalServer.answer(exchange, 200, null, "ok"));
				LocalServer server = LocalServer.startSecure(bundles.getBundle("mine").createSslContext(),
						(exchange) -> LocalServer.redirect(exchange, 302, plain.uri("/").toString()))) {
			ToolCallException failure = failure(client(loopback(), DIRECT, bundles),
					HttpCall.of("GET", server.uri("/")).sslBundle("mine"));
			assertThat(failure.kind()).isEqualTo(ToolFailureKind.DENIED);
			assertThat(failure).hasMessageContaining("gives up the encryption");
			assertThat(plain.requests()).isEmpty();
		}
	}

	@Test
	void nameThatResolvesToSomethingElseTheSecondTimeGainsNothing() throws Exception {
		try (LocalServer allowed = LocalServer.start("127.0.0.2", 0,
				(exchange) -> LocalServer.answer(exchange, 200, null, "allowed"));
				LocalServer secret = LocalServer.start("127.0.0.1", allowed.port(),
						(exchange) -> LocalServer.answer(exchange, 200, null, "secret"))) {
			Answers answers = new Answers("127.0.0.2", "127.0.0.1");
			EgressHttpClient client = client(
					new Exchange.Parties(rules("http://rebinding.test:" + allowed.port(), "127.0.0.2"), answers, DIRECT,
							EgressRules::isPublic));
			HttpCall call = HttpCall.of("GET", URI.create("http://rebinding.test:" + allowed.port() + "/"));
			assertThat(text(client.send(call))).isEqualTo("allowed");
			assertThat(answers.asked).as("what was checked is what is connected to, without another look").isEqualTo(1);
			assertThat(allowed.only().headers()).containsEntry("Host", List.of("rebinding.test:" + allowed.port()));
			assertThat(failure(client, call).kind()).isEqualTo(ToolFailureKind.DENIED);
			assertThat(answers.asked).isEqualTo(2);
			assertThat(secret.requests()).isEmpty();
			assertThat(allowed.requests()).hasSize(1);
		}
	}

	@Test
	void addressesThatAreNotAllowedAreLeftOut() throws Exception {
		try (LocalServer allowed = LocalServer.start("127.0.0.2", 0,
				(exchange) -> LocalServer.answer(exchange, 200, null, "allowed"));
				LocalServer secret = LocalServer.start("127.0.0.1", allowed.port(),
						(exchange) -> LocalServer.answer(exchange, 200, null, "secret"))) {
			EgressHttpClient client = client(
					new Exchange.Parties(rules("http://mixed.test:" + allowed.port(), "127.0.0.2"),
							new Answers("127.0.0.1,127.0.0.2"), DIRECT, EgressRules::isPublic));
			HttpCall call = HttpCall.of("GET", URI.create("http://mixed.test:" + allowed.port() + "/"));
			assertThat(text(client.send(call))).isEqualTo("allowed");
			assertThat(secret.requests()).isEmpty();
		}
	}

	@Test
	void addressThatRefusesIsFollowedByTheNextOne() throws Exception {
		try (LocalServer server = LocalServer.start((exchange) -> LocalServer.answer(exchange, 200, null, "ok"))) {
			EgressHttpClient client = client(
					new Exchange.Parties(rules("http://two.test:" + server.port(), "127.0.0.0/8"),
							new Answers("127.0.0.3,127.0.0.1"), DIRECT, EgressRules::isPublic));
			HttpCall call = HttpCall.of("GET", URI.create("http://two.test:" + server.port() + "/"));
			assertThat(text(client.send(call))).isEqualTo("ok");
		}
	}

	@Test
	void bodyThatOnlyDripsEndsAtTheDeadline() throws Exception {
		CountDownLatch never = new CountDownLatch(1);
		try (RawServer server = RawServer.start((out) -> {
			write(out, "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n");
			// Each byte comes well within any timeout of a read.
			while (!never.await(50, TimeUnit.MILLISECONDS)) {
				write(out, "x");
			}
		})) {
			long began = System.nanoTime();
			ToolCallException failure = failure(client(),
					HttpCall.of("GET", server.uri()).timeout(Duration.ofMillis(1500)));
			assertThat(failure.kind()).isEqualTo(ToolFailureKind.TIMED_OUT);
			assertThat(failure).hasMessageContaining("was not answered completely within PT1.5S");
			assertThat(Duration.ofNanos(System.nanoTime() - began)).isBetween(Duration.ofMillis(1500),
					Duration.ofSeconds(30));
			assertThat(server.gone().await(30, TimeUnit.SECONDS)).as("the connection is closed").isTrue();
		}
	}

	@Test
	void serverThatNeverAnswersEndsAtTheDeadline() throws Exception {
		CountDownLatch never = new CountDownLatch(1);
		try (RawServer server = RawServer.start((out) -> never.await())) {
			assertThat(failure(client(), HttpCall.of("GET", server.uri()).timeout(Duration.ofMillis(300))).kind())
				.isEqualTo(ToolFailureKind.TIMED_OUT);
		}
	}

	@Test
	void nameServerThatNeverAnswersEndsAtTheDeadline() throws Exception {
		CountDownLatch never = new CountDownLatch(1);
		HostResolver resolver = (host) -> {
			try {
				never.await();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
			throw new UnknownHostException(host);
		};
		EgressHttpClient client = client(
				new Exchange.Parties(rules("http://slow.test", "127.0.0.1"), resolver, DIRECT, EgressRules::isPublic));
		HttpCall call = HttpCall.of("GET", URI.create("http://slow.test/")).timeout(Duration.ofMillis(300));
		assertThat(failure(client, call).kind()).isEqualTo(ToolFailureKind.TIMED_OUT);
	}

	@Test
	void interruptLeavesTheRequestAtOnce() throws Exception {
		CountDownLatch never = new CountDownLatch(1);
		try (RawServer server = RawServer.start((out) -> {
			write(out, "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n");
			while (!never.await(50, TimeUnit.MILLISECONDS)) {
				write(out, "x");
			}
		})) {
			EgressHttpClient client = client();
			AtomicReference<Throwable> thrown = new AtomicReference<>();
			Thread caller = new Thread(() -> {
				try {
					client.send(HttpCall.of("GET", server.uri()).timeout(Duration.ofMinutes(5)));
				}
				catch (ToolCallException | InterruptedException ex) {
					thrown.set(ex);
				}
			});
			caller.start();
			assertThat(server.asked().await(30, TimeUnit.SECONDS)).isTrue();
			caller.interrupt();
			caller.join(30_000);
			assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
			assertThat(server.gone().await(30, TimeUnit.SECONDS)).as("the connection is closed").isTrue();
		}
	}

	@Test
	void tenMegabytesArriveWhole() throws Exception {
		byte[] body = new byte[10_000_000];
		body[9_999_999] = 7;
		try (LocalServer server = LocalServer
			.start((exchange) -> LocalServer.answer(exchange, 200, "application/octet-stream", body))) {
			assertThat(client().send(HttpCall.of("GET", server.uri("/"))).body()).isEqualTo(body);
		}
	}

	@ParameterizedTest
	@CsvSource({ "1000, true", "1001, false" })
	void answerMayBeAsLargeAsTheBoundAndNotAByteMore(int size, boolean isRead) throws Exception {
		try (LocalServer server = LocalServer
			.start((exchange) -> LocalServer.answer(exchange, 200, null, new byte[size]))) {
			HttpCall call = HttpCall.of("GET", server.uri("/")).maxResponse(ByteSize.ofBytes(1000));
			if (isRead) {
				assertThat(client().send(call).body()).hasSize(size);
			}
			else {
				ToolCallException failure = failure(client(), call);
				assertThat(failure.kind()).isEqualTo(ToolFailureKind.RESULT_NOT_PAGED);
				assertThat(failure).hasMessageContaining("is more than 1000 bytes");
			}
		}
	}

	@Test
	void answerWithoutEndIsCutOffAtTheBound() throws Exception {
		try (RawServer server = RawServer.start((out) -> {
			write(out, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
			while (true) {
				write(out, "400\r\n" + "x".repeat(0x400) + "\r\n");
			}
		})) {
			assertThat(failure(client(), HttpCall.of("GET", server.uri())).kind())
				.isEqualTo(ToolFailureKind.RESULT_NOT_PAGED);
			assertThat(server.gone().await(30, TimeUnit.SECONDS)).as("the connection is closed").isTrue();
		}
	}

	@Test
	void compressedAnswerIsDecompressed() throws Exception {
		try (LocalServer server = encoded("gzip", gzip("hello ".repeat(1000).getBytes(StandardCharsets.UTF_8)))) {
			assertThat(text(client().send(HttpCall.of("GET", server.uri("/"))))).isEqualTo("hello ".repeat(1000));
			assertThat(server.only().headers()).containsEntry("Accept-encoding", List.of("gzip"));
		}
	}

	@Test
	void whatAFewBytesDecompressToIsNeverHeld() throws Exception {
		byte[] bomb = gzip(new byte[200 * 1024 * 1024]);
		assertThat(bomb.length).isLessThan(300_000);
		try (LocalServer server = encoded("gzip", bomb)) {
			long before = allocated();
			ToolCallException failure = failure(client(),
					HttpCall.of("GET", server.uri("/")).maxResponse(ByteSize.ofMebibytes(1)));
			assertThat(failure.kind()).isEqualTo(ToolFailureKind.RESULT_NOT_PAGED);
			assertThat(allocated() - before).isLessThan(64L * 1024 * 1024);
		}
	}

	@Test
	void compressedAnswerInSeveralPiecesIsDecompressedWhole() throws Exception {
		byte[] piece = gzip("piece".getBytes(StandardCharsets.UTF_8));
		try (RawServer server = RawServer.start((out) -> {
			write(out, "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: " + 2 * piece.length + "\r\n\r\n");
			out.write(piece);
			out.flush();
			// The second one comes when the first has long been read.
			new CountDownLatch(1).await(200, TimeUnit.MILLISECONDS);
			out.write(piece);
			out.flush();
		})) {
			assertThat(text(client().send(HttpCall.of("GET", server.uri())))).isEqualTo("piecepiece");
		}
	}

	@Test
	void compressedBytesThatDecompressToNothingAreCountedToo() throws Exception {
		byte[] nothing = gzip(new byte[0]);
		try (RawServer server = RawServer.start((out) -> {
			write(out, "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n");
			while (true) {
				out.write(nothing);
			}
		})) {
			HttpCall call = HttpCall.of("GET", server.uri()).maxResponse(ByteSize.ofMebibytes(1));
			assertThat(failure(client(), call).kind()).isEqualTo(ToolFailureKind.RESULT_NOT_PAGED);
		}
	}

	@Test
	void answerThatIsNotWhatItsEncodingSaysIsAnError() throws Exception {
		try (LocalServer plain = encoded("gzip", "plain".getBytes(StandardCharsets.UTF_8));
				LocalServer brotli = encoded("br", "plain".getBytes(StandardCharsets.UTF_8));
				LocalServer twice = encoded("gzip, gzip", gzip(gzip(new byte[10])))) {
			for (LocalServer server : List.of(plain, brotli, twice)) {
				assertThat(failure(client(), HttpCall.of("GET", server.uri("/"))).kind())
					.isEqualTo(ToolFailureKind.TOOL_ERROR);
			}
		}
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = { "HTTP/1.1 200 OK~Content-Length: 10~~short | UNREACHABLE", "'' | UNREACHABLE",
			"garbage~~ | TOOL_ERROR", "HTTP/1.1 banana~~ | TOOL_ERROR", "HTTP/1.1 200 OK~Broken Header~~ | TOOL_ERROR",
			"HTTP/1.1 200 OK~Transfer-Encoding: chunked~~zz~ | TOOL_ERROR",
			"HTTP/1.1 200 OK~Content-Length: -1~~ | TOOL_ERROR",
			"HTTP/1.1 200 OK~Content-Length: 1, 2~~x | TOOL_ERROR" })
	void answerThatBreaksOffOrIsNotHttpIsTold(String answer, ToolFailureKind kind) throws Exception {
		try (RawServer server = RawServer.startWith(answer.replace("~", "\r\n"))) {
			assertThat(failure(client(), HttpCall.of("GET", server.uri())).kind()).isEqualTo(kind);
		}
	}

	@Test
	void headersWithoutEndAreCutOff() throws Exception {
		try (RawServer line = RawServer.startWith("HTTP/1.1 200 OK\r\nX: " + "x".repeat(20_000) + "\r\n\r\n");
				RawServer many = RawServer.startWith("HTTP/1.1 200 OK\r\n" + "X: y\r\n".repeat(300) + "\r\n")) {
			assertThat(failure(client(), HttpCall.of("GET", line.uri())).kind()).isEqualTo(ToolFailureKind.TOOL_ERROR);
			assertThat(failure(client(), HttpCall.of("GET", many.uri())).kind()).isEqualTo(ToolFailureKind.TOOL_ERROR);
		}
	}

	@Test
	void serviceThatIsNotThereIsUnreachable() throws Exception {
		URI uri;
		try (LocalServer server = LocalServer.start((exchange) -> LocalServer.answer(exchange, 200, null, "ok"))) {
			uri = server.uri("/");
		}
		assertThat(failure(client(), HttpCall.of("GET", uri)).kind()).isEqualTo(ToolFailureKind.UNREACHABLE);
		EgressHttpClient client = client(new Exchange.Parties(rules("http://absent.test", "127.0.0.1"), (host) -> {
			throw new UnknownHostException(host);
		}, DIRECT, EgressRules::isPublic));
		ToolCallException failure = failure(client, HttpCall.of("GET", URI.create("http://absent.test/")));
		assertThat(failure.kind()).isEqualTo(ToolFailureKind.UNREACHABLE);
		assertThat(failure).hasMessage("The host absent.test can't be found.");
	}

	@Test
	void requestThatFailedIsNotMadeAgain() throws Exception {
		List<String> asked = new ArrayList<>();
		try (RawServer server = RawServer.start((out) -> {
			synchronized (asked) {
				asked.add("once");
			}
		})) {
			ToolCallException failure = failure(client(), HttpCall.of("GET", server.uri()));
			assertThat(failure.kind()).isEqualTo(ToolFailureKind.UNREACHABLE);
			assertThat(failure.state()).as("whether it had its effect").isEqualTo(CallState.UNKNOWN);
			synchronized (asked) {
				assertThat(asked).hasSize(1);
			}
		}
	}

	@Test
	void encryptedConnectionTakesACertificateThatIsTrustedAndTheHostsOwn(@TempDir Path folder) throws Exception {
		DefaultSslBundleRegistry bundles = new DefaultSslBundleRegistry("mine",
				TestCertificates.make(folder, "ip:127.0.0.1"));
		bundles.registerBundle("others", TestCertificates.make(folder, "dns:elsewhere.test"));
		EgressHttpClient client = client(loopback(), DIRECT, bundles);
		try (LocalServer mine = LocalServer.startSecure(bundles.getBundle("mine").createSslContext(),
				(exchange) -> LocalServer.answer(exchange, 200, null, "ok"));
				LocalServer others = LocalServer.startSecure(bundles.getBundle("others").createSslContext(),
						(exchange) -> LocalServer.answer(exchange, 200, null, "ok"))) {
			assertThat(text(client.send(HttpCall.of("GET", mine.uri("/")).sslBundle("mine")))).isEqualTo("ok");
			ToolCallException untrusted = failure(client, HttpCall.of("GET", mine.uri("/")));
			assertThat(untrusted.kind()).isEqualTo(ToolFailureKind.UNREACHABLE);
			assertThat(untrusted).hasMessageContaining("its certificate is not trusted");
			ToolCallException notItsOwn = failure(client, HttpCall.of("GET", others.uri("/")).sslBundle("others"));
			assertThat(notItsOwn.kind()).isEqualTo(ToolFailureKind.UNREACHABLE);
			assertThat(others.requests()).isEmpty();
			bundles.updateBundle("mine", bundles.getBundle("others"));
			assertThat(failure(client, HttpCall.of("GET", mine.uri("/")).sslBundle("mine")).kind())
				.as("new certificates are used when there are some")
				.isEqualTo(ToolFailureKind.UNREACHABLE);
		}
	}

	@Test
	void proxyIsGivenTheNameAndLooksItUp() throws Exception {
		HostResolver onlyTheProxy = (host) -> {
			assertThat(host).isEqualTo("127.0.0.1");
			return List.of(InetAddress.getLoopbackAddress());
		};
		try (LocalServer server = LocalServer.start((exchange) -> LocalServer.answer(exchange, 200, null, "ok"));
				LocalProxy proxy = LocalProxy.to(server)) {
			EgressHttpClient client = client(
					new Exchange.Parties(new EgressRules(List.of(EgressRule.parse("http://service.test"))),
							onlyTheProxy, proxy.selector(), EgressRules::isPublic));
			assertThat(text(client.send(HttpCall.of("GET", URI.create("http://service.test/a?b=c"))))).isEqualTo("ok");
			assertThat(proxy.heads().get(0)).startsWith("GET http://service.test/a?b=c HTTP/1.1\r\n")
				.contains("Host: service.test\r\n");
			assertThat(failure(client, HttpCall.of("GET", URI.create("http://other.test/"))).kind())
				.isEqualTo(ToolFailureKind.DENIED);
			assertThat(failure(client, HttpCall.of("GET", URI.create("http://127.0.0.1/"))).kind())
				.isEqualTo(ToolFailureKind.DENIED);
			assertThat(proxy.heads()).hasSize(1);
		}
	}

	@Test
	void proxyOpensATunnelThatItCanNotLookInto(@TempDir Path folder) throws Exception {
		DefaultSslBundleRegistry bundles = new DefaultSslBundleRegistry("mine",
				TestCertificates.make(folder, "dns:service.test"));
		try (LocalServer server = LocalServer.startSecure(bundles.getBundle("mine").createSslContext(),
				(exchange) -> LocalServer.answer(exchange, 200, null, "ok"));
				LocalProxy proxy = LocalProxy.to(server)) {
			EgressHttpClient client = client(new EgressRules(List.of(EgressRule.parse("https://service.test"))),
					proxy.selector(), bundles);
			HttpCall call = HttpCall.of("GET", URI.create("https://service.test/"))
				.sslBundle("mine")
				.credential(Credential.bearer(SECRET));
			assertThat(text(client.send(call))).isEqualTo("ok");
			assertThat(proxy.heads()).hasSize(1);
			assertThat(proxy.heads().get(0)).startsWith("CONNECT service.test:443 HTTP/1.1\r\n").doesNotContain(SECRET);
			assertThat(server.only().headers()).containsKey("Authorization");
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 204, 302, 403, 407, 502 })
	void refusalOfAProxyIsNoAnswerOfTheService(int status) throws Exception {
		try (LocalProxy proxy = LocalProxy.refusing(status)) {
			EgressHttpClient client = client(new EgressRules(List.of(EgressRule.parse("https://*.test"))),
					proxy.selector());
			ToolCallException failure = failure(client, HttpCall.of("GET", URI.create("https://service.test/")));
			assertThat(failure.kind()).isEqualTo(ToolFailureKind.UNREACHABLE);
			assertThat(failure).hasMessageContaining("with status " + status);
			assertThat(proxy.heads()).hasSize(1);
		}
	}

	@Test
	void socksProxyIsLeftToTheSocketsOfTheJvm() throws Exception {
		try (LocalServer server = LocalServer.start((exchange) -> LocalServer.answer(exchange, 200, null, "ok"))) {
			assertThat(text(client(loopback(), LocalProxy.socks()).send(HttpCall.of("GET", server.uri("/")))))
				.isEqualTo("ok");
		}
	}

	@Test
	void credentialIsNotSentWithoutEncryptionUnlessThatIsAllowed() throws Exception {
		try (LocalServer server = LocalServer.start((exchange) -> LocalServer.answer(exchange, 200, null, "ok"));
				LocalProxy proxy = LocalProxy.to(server)) {
			EgressHttpClient client = client(new EgressRules(List.of(EgressRule.parse("http://service.test"))),
					proxy.selector());
			HttpCall call = HttpCall.of("GET", URI.create("http://service.test/"));
			ToolCallException failure = failure(client, call.credential(Credential.bearer(SECRET)));
			assertThat(failure.kind()).isEqualTo(ToolFailureKind.DENIED);
			assertThat(failure).hasMessageContaining("is not sent without encryption");
			assertThat(proxy.heads()).isEmpty();
			assertThat(text(client.send(call.credential(Credential.bearer(SECRET).allowPlaintext())))).isEqualTo("ok");
			assertThat(server.only().headers()).containsKey("Authorization");
		}
	}

	@Test
	void credentialIsInNoLogAndNoException(CapturedOutput output) throws Exception {
		Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
		Level before = root.getLevel();
		root.setLevel(Level.TRACE);
		try (LocalServer server = LocalServer.start((exchange) -> LocalServer.answer(exchange, 200, null, "ok"));
				RawServer broken = RawServer.startWith("HTTP/1.1 200 OK\r\nBroken Header\r\n\r\n")) {
			EgressHttpClient client = client();
			HttpCall call = HttpCall.of("GET", server.uri("/")).credential(Credential.bearer(SECRET));
			client.send(call);
			ToolCallException failure = failure(client,
					HttpCall.of("GET", broken.uri()).credential(Credential.bearer(SECRET)));
			for (Throwable ex = failure; ex != null; ex = ex.getCause()) {
				assertThat(ex.toString()).doesNotContain(SECRET);
			}
			assertThat(call + " " + Credential.bearer(SECRET) + " " + CredentialResolver.of(Credential.bearer(SECRET)))
				.doesNotContain(SECRET);
		}
		finally {
			root.setLevel(before);
		}
		assertThat(output).as("what the client logs of itself")
			.contains("preparing request execution")
			.doesNotContain(SECRET);
	}

	@ParameterizedTest
	@CsvSource({ "Bad Name, x", "X, 'a\r\nB: c'", "X, 'a\nB: c'", "X, ä", "Host, x", "Content-Length, 1",
			"Transfer-Encoding, chunked", "Connection, close", "'', x" })
	void headerThatCouldBeReadAsTwoIsRefused(String name, String value) {
		HttpCall call = HttpCall.of("GET", URI.create("http://service.test/"));
		assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> call.header(name, value));
		assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> Credential.of(name, value))
			.satisfies((ex) -> assertThat(ex.getMessage()).doesNotContain("B: c"));
	}

	private EgressHttpClient client() {
		return client(loopback());
	}

	private EgressHttpClient client(Egress egress) {
		return client(egress, DIRECT);
	}

	private EgressHttpClient client(Egress egress, ProxySelector proxies) {
		return client(egress, proxies, null);
	}

	private EgressHttpClient client(Egress egress, ProxySelector proxies, SslBundles bundles) {
		return kept(new EgressHttpClient(egress, proxies, bundles, EgressHttpClient.CONNECT_TIMEOUT));
	}

	private EgressHttpClient client(Exchange.Parties parties) {
		return kept(new EgressHttpClient(parties, null, EgressHttpClient.CONNECT_TIMEOUT));
	}

	private EgressHttpClient kept(EgressHttpClient client) {
		this.clients.add(client);
		return client;
	}

	static Egress loopback() {
		return new EgressRules(Stream.of("http://127.0.0.1:*", "https://127.0.0.1:*")
			.map((rule) -> EgressRule.parse(rule).withAddresses(List.of(AddressRange.parse("127.0.0.1/32"))))
			.toList());
	}

	private static Egress rules(String rule, String range) {
		return new EgressRules(List.of(EgressRule.parse(rule).withAddresses(List.of(AddressRange.parse(range)))));
	}

	private static ToolCallException failure(EgressHttpClient client, HttpCall call) {
		ToolCallException failure = catchThrowableOfType(ToolCallException.class, () -> client.send(call));
		assertThat(failure).as("the call fails").isNotNull();
		return failure;
	}

	private static LocalServer encoded(String encoding, byte[] body) {
		return LocalServer.start((exchange) -> {
			exchange.getResponseHeaders().add("Content-Encoding", encoding);
			LocalServer.answer(exchange, 200, "text/plain", body);
		});
	}

	private static byte[] gzip(byte[] bytes) throws IOException {
		ByteArrayOutputStream compressed = new ByteArrayOutputStream();
		try (GZIPOutputStream gzip = new GZIPOutputStream(compressed)) {
			gzip.write(bytes);
		}
		return compressed.toByteArray();
	}

	/** Bytes that all threads together have taken so far, whether given back or not. */
	private static long allocated() {
		com.sun.management.ThreadMXBean threads = (com.sun.management.ThreadMXBean) java.lang.management.ManagementFactory
			.getThreadMXBean();
		long sum = 0;
		for (long bytes : threads.getThreadAllocatedBytes(threads.getAllThreadIds())) {
			sum += Math.max(bytes, 0);
		}
		return sum;
	}

	private static void write(java.io.OutputStream out, String text) throws IOException {
		out.write(text.getBytes(StandardCharsets.ISO_8859_1));
		out.flush();
	}

	private static String text(HttpAnswer answer) {
		return new String(answer.body(), StandardCharsets.UTF_8);
	}

	/**
	 * A name server that answers something else each time.
	 */
	private static final class Answers implements HostResolver {

		private final Deque<String> answers;

		private int asked;

		Answers(String... answers) {
			this.answers = new ArrayDeque<>(List.of(answers));
		}

		@Override
		public List<InetAddress> resolve(String host) throws UnknownHostException {
			this.asked++;
			List<InetAddress> addresses = new ArrayList<>();
			for (String address : this.answers.remove().split(",")) {
				addresses.add(InetAddress.getByName(address));
			}
			return addresses;
		}

	}

}
