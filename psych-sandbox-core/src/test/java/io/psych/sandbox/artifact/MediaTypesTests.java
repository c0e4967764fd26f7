package io.psych.sandbox.artifact;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class MediaTypesTests {

	private static final byte[] PNG = latin1("\u0089PNG\r\n\u001a\n\0\0\0\rIHDR");

	@ParameterizedTest
	@CsvSource({ "a.csv,text/csv", "a.JSON,application/json", "a.html,text/html", "a.svg,image/svg+xml",
			"a.md,text/markdown", "a.txt,text/plain", "a.log,text/plain", "a,text/plain", "csv,text/plain" })
	void textIsOfTheTypeItsNameTells(String name, String type) {
		assertThat(MediaTypes.of(name, "a,ü\n1,2\n".getBytes(StandardCharsets.UTF_8))).isEqualTo(type);
	}

	@ParameterizedTest
	@CsvSource({ "a.png,image/png", "a,image/png", "a.html,image/png" })
	void imageIsOneWhateverItsName(String name, String type) {
		assertThat(MediaTypes.of(name, PNG)).isEqualTo(type);
	}

	@Test
	void archiveIsOfTheTypeItsNameTellsIfThatIsOne() {
		byte[] zip = latin1("PK\u0003\u0004\u0014\0");
		assertThat(MediaTypes.of("a.zip", zip)).isEqualTo("application/zip");
		assertThat(MediaTypes.of("a.html", zip)).isEqualTo("application/zip");
		assertThat(MediaTypes.of("a.xlsx", zip))
			.isEqualTo("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet");
	}

	@Test
	void contentTellsTheOtherBinaryTypes() {
		assertThat(MediaTypes.of("a", latin1("\u00ff\u00d8\u00ff\u00e0"))).isEqualTo("image/jpeg");
		assertThat(MediaTypes.of("a", latin1("%PDF-1.7"))).isEqualTo("application/pdf");
		assertThat(MediaTypes.of("a", latin1("PAR1\u0015\0"))).isEqualTo("application/vnd.apache.parquet");
	}

	@Test
	void nameAloneIsNotBelieved() {
		assertThat(MediaTypes.of("a.png", latin1("<html><script>"))).isEqualTo("text/plain");
		assertThat(MediaTypes.of("a.xlsx", latin1("<html><script>"))).isEqualTo("text/plain");
		assertThat(MediaTypes.of("a.html", latin1("<html>\0"))).isEqualTo("application/octet-stream");
		assertThat(MediaTypes.of("a.csv", latin1("\u00fc"))).isEqualTo("application/octet-stream");
	}

	@Test
	void emptyFileIsText() {
		assertThat(MediaTypes.of("a.csv", new byte[0])).isEqualTo("text/csv");
		assertThat(MediaTypes.of("a", new byte[0])).isEqualTo("text/plain");
	}

	@Test
	void characterThatIsCutOffAtTheEndIsStillText() {
		byte[] text = "日".getBytes(StandardCharsets.UTF_8);
		assertThat(MediaTypes.of("a", Arrays.copyOf(text, 2))).isEqualTo("text/plain");
		assertThat(MediaTypes.of("a", new byte[] { text[0], 'a', text[1] })).isEqualTo("application/octet-stream");
	}

	private static byte[] latin1(String text) {
		return text.getBytes(StandardCharsets.ISO_8859_1);
	}

}
