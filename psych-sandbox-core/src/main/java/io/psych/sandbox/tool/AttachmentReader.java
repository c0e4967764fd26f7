package io.psych.sandbox.tool;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.Set;

import io.psych.sandbox.attachment.Attachments;
import io.psych.sandbox.attachment.Content;
import io.psych.sandbox.contract.ToolFailureKind;
import io.psych.sandbox.json.JsonValue;

/**
 * The tool by which a model reads what a program of its run left behind, in parts. Not
 * for programs, which are given whole files instead.
 *
 * @since 0.1.0
 */
public final class AttachmentReader implements HostTool {

	/** The name of this tool. */
	public static final String NAME = "read_attachment";

	private static final JsonValue INPUT = Pages.input("The handle of an attachment, as run_code returned it.");

	private final Attachments attachments;

	private final Pages pages;

	/**
	 * Create the tool.
	 * @param attachments finds what was left behind
	 * @param most the most bytes one answer may have
	 */
	public AttachmentReader(Attachments attachments, long most) {
		this.attachments = attachments;
		this.pages = new Pages(most, System::nanoTime);
	}

	@Override
	public String name() {
		return NAME;
	}

	@Override
	public String description() {
		return "Reads an attachment that a program of run_code left behind (a stream, its value, a file of text), by"
				+ " window or by pattern. Offsets and lengths are bytes of UTF-8. Give a file that is not text to a"
				+ " program instead, by `files` of run_code.";
	}

	@Override
	public String origin() {
		return "psych-sandbox";
	}

	@Override
	public JsonValue inputSchema() {
		return INPUT;
	}

	@Override
	public JsonValue outputSchema() {
		return Pages.OUTPUT;
	}

	@Override
	public Set<ToolCapability> capabilities() {
		return Set.of(ToolCapability.ACTS_ON_THE_CONTEXT);
	}

	@Override
	public JsonValue call(JsonValue arguments, ToolCallContext context) throws ToolCallException {
		Content content = this.attachments.find(context.scope(), String.valueOf(arguments.string("handle")));
		if (content == null) {
			// The same words whoever's it is: they must not tell what another run has.
			throw new ToolCallException(ToolFailureKind.DENIED,
					"No program of this run returned that handle. Pass one that run_code returned in this run.");
		}
		String mediaType = content.attachment().mediaType();
		if (!isText(mediaType)) {
			throw new ToolCallException(ToolFailureKind.BAD_ARGUMENTS, "It is " + mediaType
					+ ", not text. Give it to a program, by `files` of run_code, and return what matters of it.");
		}
		try {
			return this.pages.read(new Kept(content), arguments);
		}
		catch (NoSuchFileException ex) {
			throw new ToolCallException(ToolFailureKind.TOOL_ERROR, "It is not kept any more.", ex);
		}
		catch (IOException ex) {
			throw new ToolCallException(ToolFailureKind.UNREACHABLE, "It can't be read now.", ex);
		}
	}

	private static boolean isText(String mediaType) {
		return mediaType.startsWith("text/") || mediaType.startsWith("application/json")
				|| mediaType.startsWith("image/svg+xml");
	}

	/**
	 * What is kept of an attachment.
	 *
	 * @param content the content
	 */
	private record Kept(Content content) implements Pages.Text {

		@Override
		public long size() {
			return this.content.attachment().bytes();
		}

		@Override
		public byte[] read(long offset, int most) throws IOException {
			return this.content.read(offset, most);
		}

	}

}
