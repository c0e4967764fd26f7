package io.psych.sandbox.spring.http;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslStoreBundle;
import org.springframework.boot.ssl.jks.JksSslStoreBundle;
import org.springframework.boot.ssl.jks.JksSslStoreDetails;

/**
 * A certificate for one host, made by the JDK's own tool and trusted by nobody else.
 */
final class TestCertificates {

	private static final String PASSWORD = "changeit";

	private TestCertificates() {
	}

	/**
	 * Make a certificate.
	 * @param folder where the store is put
	 * @param name what it is for, as {@code dns:a.test} or {@code ip:127.0.0.1}
	 * @return a bundle that has the certificate and trusts it
	 */
	static SslBundle make(Path folder, String name) throws IOException, InterruptedException {
		Path store = Files.createTempDirectory(folder, "store").resolve("test.p12");
		Process keytool = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
				"-genkeypair", "-alias", "test", "-keyalg", "EC", "-groupname", "secp256r1", "-dname", "CN=test",
				"-ext", "san=" + name, "-validity", "2", "-storetype", "PKCS12", "-keystore", store.toString(),
				"-storepass", PASSWORD)
			.redirectErrorStream(true)
			.start();
		String output = new String(keytool.getInputStream().readAllBytes());
		if (!keytool.waitFor(30, TimeUnit.SECONDS) || keytool.exitValue() != 0) {
			throw new AssertionError("keytool failed: " + output);
		}
		JksSslStoreDetails details = new JksSslStoreDetails("PKCS12", null, store.toUri().toString(), PASSWORD);
		SslStoreBundle stores = new JksSslStoreBundle(details, details);
		return SslBundle.of(stores);
	}

}
