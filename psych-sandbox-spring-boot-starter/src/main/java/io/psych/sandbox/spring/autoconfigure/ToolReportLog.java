package io.psych.sandbox.spring.autoconfigure;

import java.util.List;
import java.util.stream.Collectors;

import io.psych.sandbox.contract.Scope;
import io.psych.sandbox.log.Quoted;
import io.psych.sandbox.tool.ToolGateway;
import io.psych.sandbox.tool.ToolReport;
import io.psych.sandbox.tool.ToolReport.Entry;
import io.psych.sandbox.tool.ToolReport.Reach;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationListener;

/**
 * Says in the log, when the application is up, how programs reach each tool. Not before:
 * some of them have to be asked for at other hosts.
 */
final class ToolReportLog implements ApplicationListener<ApplicationReadyEvent> {

	private static final Logger logger = LoggerFactory.getLogger(ToolReportLog.class);

	private final ToolGateway gateway;

	ToolReportLog(ToolGateway gateway) {
		this.gateway = gateway;
	}

	@Override
	public void onApplicationEvent(ApplicationReadyEvent event) {
		try {
			ToolReport report = this.gateway.report(Scope.NONE);
			logger.info("Programs call {} tools by a function{}{}{}", of(report, Reach.FUNCTION).size(),
					told("by call_tool only", of(report, Reach.CALL_TOOL)),
					told("refused to programs, called directly only", of(report, Reach.DIRECT_ONLY)),
					told("not offered to programs", of(report, Reach.EXCLUDED)));
		}
		catch (RuntimeException ex) {
			// The application is up and its other tools work; the next execution asks
			// anew.
			logger.warn("The tools can't be listed now: {}", Quoted.text(ex.toString()));
		}
	}

	private static List<Entry> of(ToolReport report, Reach reach) {
		return report.entries().stream().filter((entry) -> entry.reach() == reach).toList();
	}

	private static String told(String how, List<Entry> entries) {
		return entries.isEmpty() ? ""
				: "; " + how + ": "
						+ entries.stream()
							.map((entry) -> "%s (%s: %s)".formatted(Quoted.text(entry.name()),
									Quoted.text(entry.origin()), entry.why()))
							.collect(Collectors.joining(", "));
	}

}
