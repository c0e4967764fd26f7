package io.psych.sandbox.limits;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class ByteSizeTests {

	@ParameterizedTest
	@CsvSource({ "0, 0 bytes", "1023, 1023 bytes", "1024, 1 KiB", "1025, 1025 bytes", "1536, 1536 bytes",
			"65536, 64 KiB", "1048576, 1 MiB", "16777216, 16 MiB", "1073741824, 1 GiB", "1099511627776, 1 TiB",
			"1125899906842624, 1024 TiB" })
	void toStringTakesTheLargestUnitThatDividesIt(long bytes, String text) {
		assertThat(ByteSize.ofBytes(bytes)).hasToString(text);
	}

	@Test
	void unitsAreBinary() {
		assertThat(ByteSize.ofKibibytes(3)).isEqualTo(ByteSize.ofBytes(3 * 1024));
		assertThat(ByteSize.ofMebibytes(3)).isEqualTo(ByteSize.ofBytes(3 * 1024 * 1024));
	}

	@Test
	void ofBytesWhenNegativeFailsWithTheValue() {
		assertThatIllegalArgumentException().isThrownBy(() -> ByteSize.ofBytes(-1))
			.withMessage("bytes must not be negative but was -1");
		assertThatIllegalArgumentException().isThrownBy(() -> ByteSize.ofMebibytes(-1));
	}

	@Test
	void ofMebibytesWhenTheAmountOverflowsFails() {
		assertThat(ByteSize.ofMebibytes(Long.MAX_VALUE >> 20).bytes()).isPositive();
		assertThatExceptionOfType(ArithmeticException.class)
			.isThrownBy(() -> ByteSize.ofMebibytes((Long.MAX_VALUE >> 20) + 1));
		assertThatExceptionOfType(ArithmeticException.class)
			.isThrownBy(() -> ByteSize.ofKibibytes((Long.MAX_VALUE >> 10) + 1));
	}

	@Test
	void comparesByAmount() {
		assertThat(ByteSize.ofKibibytes(1)).isEqualByComparingTo(ByteSize.ofBytes(1024));
		assertThat(ByteSize.ofKibibytes(1)).isGreaterThan(ByteSize.ofBytes(1023)).isLessThan(ByteSize.ofBytes(1025));
	}

}
