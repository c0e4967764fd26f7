package io.psych.sandbox.spring.s3;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.regex.Pattern;

import io.psych.sandbox.blob.BlobAddress;
import io.psych.sandbox.blob.ListableBlobStore;
import io.psych.sandbox.blob.SizedContent;
import io.psych.sandbox.blob.StoredBlob;
import software.amazon.awssdk.awscore.AwsRequestOverrideConfiguration;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.core.sync.ResponseTransformer;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Request;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;
import software.amazon.awssdk.services.s3.model.S3Object;

/**
 * Stores each blob as an object of one bucket, whose keys begin alike. An object becomes
 * visible when S3 has all of it, so none is ever half-written. What is removed goes for
 * good only where the bucket keeps no versions.
 *
 * @since 0.1.0
 */
public final class S3BlobStore implements ListableBlobStore {

	/** For one operation with all its attempts: enough for 32 MiB at 5 Mbit/s. */
	private static final Duration TIMEOUT = Duration.ofMinutes(1);

	/** Content up to here waits in memory for being sent, more in a file. */
	private static final int IN_MEMORY = 1024 * 1024;

	private static final int RANGE_NOT_SATISFIABLE = 416;

	private static final Pattern KEY = Pattern.compile("[0-9a-f]{64}");

	private final S3Client client;

	private final String bucket;

	private final String prefix;

	private final AwsRequestOverrideConfiguration bounded;

	/**
	 * Create a new store.
	 * @param client the client, which is not closed with the store
	 * @param bucket the name of the bucket, which must exist
	 * @param prefix what the keys of all objects begin with; objects with other keys are
	 * never touched
	 */
	public S3BlobStore(S3Client client, String bucket, String prefix) {
		this(client, bucket, prefix, TIMEOUT);
	}

	S3BlobStore(S3Client client, String bucket, String prefix, Duration timeout) {
		this.client = client;
		this.bucket = bucket;
		this.prefix = prefix;
		this.bounded = AwsRequestOverrideConfiguration.builder().apiCallTimeout(timeout).build();
	}

	@Override
	public void put(BlobAddress address, InputStream content, long bytes) throws IOException {
		SizedContent sized = new SizedContent(content, bytes);
		if (bytes <= IN_MEMORY) {
			put(address, RequestBody.fromBytes(sized.readAllBytes()));
			return;
		}
		try (SpooledContent spooled = new SpooledContent(sized)) {
			put(address, RequestBody.fromContentProvider(spooled, bytes, "application/octet-stream"));
		}
	}

	private void put(BlobAddress address, RequestBody body) throws IOException {
		PutObjectRequest request = PutObjectRequest.builder()
			.bucket(this.bucket)
			.key(key(address))
			.overrideConfiguration(this.bounded)
			.build();
		ask(address, () -> this.client.putObject(request, body));
	}

	@Override
	public byte[] read(BlobAddress address, long offset, int most) throws IOException {
		if (offset < 0 || most < 0) {
			throw new IllegalArgumentException(
					"offset and most must not be negative but were " + offset + " and " + most);
		}
		// A range is never empty.
		int length = Math.max(1, most);
		long last = (offset <= Long.MAX_VALUE - length) ? offset + length - 1 : Long.MAX_VALUE;
		GetObjectRequest request = get(address).range("bytes=" + offset + "-" + last).build();
		return ask(address, () -> {
			try {
				return this.client.getObject(request, (response, content) -> {
					if (response.contentRange() == null && offset > 0) {
						throw new IOException("this S3 server has no ranges");
					}
					return content.readNBytes(most);
				});
			}
			catch (AwsServiceException ex) {
				if (ex.statusCode() == RANGE_NOT_SATISFIABLE) {
					return new byte[0];
				}
				throw ex;
			}
		});
	}

	@Override
	public InputStream open(BlobAddress address) throws IOException {
		return new ObjectContent(address,
				ask(address, () -> this.client.getObject(get(address).build(), ResponseTransformer.toInputStream())));
	}

	private GetObjectRequest.Builder get(BlobAddress address) {
		return GetObjectRequest.builder().bucket(this.bucket).key(key(address)).overrideConfiguration(this.bounded);
	}

	@Override
	public void delete(BlobAddress address) throws IOException {
		ask(address, () -> this.client.deleteObject(
				(request) -> request.bucket(this.bucket).key(key(address)).overrideConfiguration(this.bounded)));
	}

	@Override
	public void list(Consumer<StoredBlob> consumer) throws IOException {
		ListObjectsV2Request request = ListObjectsV2Request.builder()
			.bucket(this.bucket)
			.prefix(this.prefix)
			.overrideConfiguration(this.bounded)
			.build();
		try {
			for (S3Object object : this.client.listObjectsV2Paginator(request).contents()) {
				String key = object.key().substring(this.prefix.length());
				if (KEY.matcher(key).matches()) {
					consumer.accept(new StoredBlob(new BlobAddress(key), object.size(), object.lastModified()));
				}
			}
		}
		catch (SdkException ex) {
			throw failure("the list of blobs", ex);
		}
	}

	private String key(BlobAddress address) {
		return this.prefix + address.key();
	}

	private static <T> T ask(BlobAddress address, Supplier<T> question) throws IOException {
		try {
			return question.get();
		}
		catch (NoSuchKeyException ex) {
			throw new NoSuchFileException(address.key());
		}
		catch (SdkException ex) {
			throw failure("blob " + address.key(), ex);
		}
	}

	/** What a server says in its own words is in the cause alone. */
	private static IOException failure(String what, SdkException ex) {
		if (ex instanceof AbortedException) {
			InterruptedIOException interrupted = new InterruptedIOException(what + ": interrupted");
			interrupted.initCause(ex);
			return interrupted;
		}
		if (ex instanceof AwsServiceException answer) {
			String code = (answer.awsErrorDetails() != null) ? answer.awsErrorDetails().errorCode() : "";
			return new IOException(what + ": S3 answered " + answer.statusCode() + " " + code, ex);
		}
		return new IOException(what + ": S3 can't be asked, " + ex.getMessage(), ex);
	}

	@Override
	public String description() {
		return "s3, in bucket " + this.bucket + " below " + (this.prefix.isEmpty() ? "no prefix" : this.prefix);
	}

	/**
	 * Reads an object. The SDK throws exceptions of its own in the middle of it, such as
	 * for a checksum that does not match.
	 */
	private static final class ObjectContent extends InputStream {

		private final BlobAddress address;

		private final ResponseInputStream<GetObjectResponse> content;

		private boolean ended;

		ObjectContent(BlobAddress address, ResponseInputStream<GetObjectResponse> content) {
			this.address = address;
			this.content = content;
		}

		@Override
		public int read() throws IOException {
			byte[] one = new byte[1];
			return (read(one, 0, 1) < 0) ? -1 : one[0] & 0xff;
		}

		@Override
		public int read(byte[] target, int offset, int length) throws IOException {
			try {
				int read = this.content.read(target, offset, length);
				this.ended = read < 0;
				return read;
			}
			catch (SdkException ex) {
				throw failure("blob " + this.address.key(), ex);
			}
		}

		@Override
		public void close() throws IOException {
			// Closing reads on to the end, to keep the connection.
			if (!this.ended) {
				this.content.abort();
			}
			this.content.close();
		}

	}

}
