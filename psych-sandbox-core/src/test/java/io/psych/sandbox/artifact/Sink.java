package io.psych.sandbox.artifact;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Keeps what it is handed.
 */
final class Sink implements ArtifactSink {

	final List<Artifact> artifacts = new ArrayList<>();

	final Map<String, String> contents = new LinkedHashMap<>();

	@Override
	public void accept(Artifact artifact, InputStream content) throws IOException {
		String text = new String(content.readAllBytes(), StandardCharsets.ISO_8859_1);
		this.artifacts.add(artifact);
		this.contents.put(artifact.name(), text);
	}

}
