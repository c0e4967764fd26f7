package io.psych.sandbox.blob;

import java.util.HashSet;
import java.util.Set;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link BlobAddress}.
 */
class BlobAddressTests {

	@Test
	void addressIsTheSameWhereverItIsMade() {
		// What is stored by one version must be found by the next.
		assertThat(BlobAddress.of("acme", "run:1", "artifact-1").key())
			.isEqualTo("6eec10298d06cad789711177d77d03a3e136615bf14511f19bcb1da71c182f63");
	}

	@Test
	void whatIsInOnePartIsNeverTakenForAnother() {
		Set<BlobAddress> addresses = new HashSet<>();
		String[] parts = { "", "a", "aa", "1:", "1:a", ":", "0:" };
		for (String tenant : parts) {
			for (String run : parts) {
				for (String handle : parts) {
					addresses.add(BlobAddress.of(tenant, run, handle));
				}
			}
		}
		assertThat(addresses).hasSize(parts.length * parts.length * parts.length);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "..", "abc", "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcde",
			"0123456789ABCDEF0123456789abcdef0123456789abcdef0123456789abcdef",
			"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0",
			"../3456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef" })
	void keyThatIsNoDigestIsRefused(String key) {
		assertThatIllegalArgumentException().isThrownBy(() -> new BlobAddress(key)).withMessageContaining("key");
	}

}
