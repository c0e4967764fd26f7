package io.psych.sandbox;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;

import io.psych.sandbox.artifact.InputFiles;
import io.psych.sandbox.attachment.Attachments;
import io.psych.sandbox.attachment.Content;
import io.psych.sandbox.contract.Failure;
import io.psych.sandbox.contract.FailureKind;
import io.psych.sandbox.contract.InputFile;
import io.psych.sandbox.contract.RunRequest;
import io.psych.sandbox.limits.Limits;
import io.psych.sandbox.runlog.RunLogException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files of one request, those of earlier executions fetched by their handles.
 *
 * @param files the files
 * @param refusal why they can't be given, or {@code null}
 */
record Inputs(List<InputFile.Bytes> files, @Nullable Failure refusal) {

	private static final Logger logger = LoggerFactory.getLogger(Inputs.class);

	static Inputs of(RunRequest request, Limits limits, Attachments attachments) {
		List<InputFile.Bytes> files = new ArrayList<>();
		try {
			InputFiles.check(request.inputs(), limits);
			long left = limits.workspace().bytes();
			for (InputFile input : request.inputs()) {
				InputFile.Bytes file = (input instanceof InputFile.Bytes bytes) ? bytes
						: fetch((InputFile.Attached) input, request, left, attachments);
				left -= file.content().length;
				files.add(file);
			}
			return new Inputs(files, null);
		}
		catch (IllegalArgumentException | NoSuchFileException ex) {
			return refused(FailureKind.POLICY_REFUSED, String.valueOf(ex.getMessage()));
		}
		catch (IOException | RunLogException ex) {
			logger.warn("An attachment can't be read: {}", ex.toString());
			return refused(FailureKind.BACKEND_NOT_READY, "The files it was to be given can't be read now.");
		}
	}

	private static Inputs refused(FailureKind kind, String message) {
		return new Inputs(List.of(), Failure.of(kind, message));
	}

	private static InputFile.Bytes fetch(InputFile.Attached file, RunRequest request, long left,
			Attachments attachments) throws IOException {
		Content content = attachments.find(request.scope(), file.handle());
		if (content == null) {
			// The same words whoever's it is: they must not tell what another run has.
			throw new IllegalArgumentException(
					"The file " + file.name() + " can't be given: no program of this run returned its handle.");
		}
		long bytes = content.attachment().bytes();
		if (!content.attachment().whole()) {
			throw new IllegalArgumentException("The file " + file.name()
					+ " can't be given: only the head and the tail of it are kept. Make it anew.");
		}
		if (bytes > left) {
			throw new IllegalArgumentException("The file " + file.name() + " can't be given: it is " + bytes
					+ " bytes, and the workspace has room for " + left + ".");
		}
		try {
			return new InputFile.Bytes(file.name(), content.read(0, Math.toIntExact(bytes)));
		}
		catch (NoSuchFileException ex) {
			throw new NoSuchFileException("The file " + file.name() + " can't be given: it is not kept any more.");
		}
	}

}
