package io.psych.sandbox.spring.s3;

import java.net.URI;

import org.gaul.s3proxy.S3Proxy;
import org.gaul.s3proxy.auth.AuthenticationType;
import org.gaul.s3proxy.nio2blob.TransientNio2BlobStore;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;

/**
 * A server that speaks the protocol of S3, checks signatures, and keeps objects in
 * memory.
 */
public final class S3Server implements AutoCloseable {

	public static final String KEY_ID = "AKIDTHATISKNOWN00001";

	public static final String SECRET = "s3cr3t-that-nobody-shows";

	private final S3Proxy server;

	public S3Server() throws Exception {
		this.server = S3Proxy.builder()
			.blobStore(new TransientNio2BlobStore())
			.endpoint(URI.create("http://127.0.0.1:0"))
			.awsAuthentication(AuthenticationType.AWS_V2_OR_V4, KEY_ID, SECRET)
			.build();
		this.server.start();
	}

	public URI endpoint() {
		return URI.create("http://127.0.0.1:" + this.server.getPort());
	}

	public S3Client client() {
		return client(endpoint(), SECRET);
	}

	public static S3Client client(URI endpoint, String secret) {
		return S3Client.builder()
			.endpointOverride(endpoint)
			.region(Region.US_EAST_1)
			.forcePathStyle(true)
			.credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create(KEY_ID, secret)))
			.build();
	}

	@Override
	public void close() throws Exception {
		this.server.stop();
	}

}
