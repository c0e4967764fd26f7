package io.psych.sandbox.terms;

import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import io.psych.sandbox.json.JsonValue;
import io.psych.sandbox.limits.Guarantee;
import io.psych.sandbox.limits.Level;
import io.psych.sandbox.limits.Limits;
import io.psych.sandbox.limits.Requirement;
import org.jspecify.annotations.Nullable;

/**
 * The one JSON form of a {@link Spec}: members in one order, sets sorted, what says
 * nothing left out.
 */
final class SpecJson {

	private SpecJson() {
	}

	static JsonValue write(Spec spec) {
		Map<String, @Nullable Object> json = new LinkedHashMap<>();
		json.put("name", spec.name());
		putIf(spec.profile() != null, json, "profile", spec.profile());
		if (spec.limits() != null) {
			json.put("limits", LimitsJson.write(spec.limits()));
		}
		if (spec.require() != null) {
			json.put("require", write(spec.require()));
		}
		putIf(spec.network(), json, "network", true);
		putIf(spec.preserve(), json, "preserve", true);
		putIf(spec.tools().names() != null, json, "tools", spec.tools().names());
		putIf(!spec.bindings().equals(spec.tools()), json, "bindings", spec.bindings().names());
		return JsonValue.of(json);
	}

	private static Map<String, Object> write(Requirement requirement) {
		Map<String, Object> json = new LinkedHashMap<>();
		json.put("level", requirement.level().id());
		json.put("guarantees", requirement.guarantees().stream().map(Guarantee::id).sorted().toList());
		return json;
	}

	private static void putIf(boolean isSaid, Map<String, @Nullable Object> json, String member,
			@Nullable Object value) {
		if (isSaid) {
			json.put(member, value);
		}
	}

	static Spec read(JsonValue json) {
		SpecMembers members = SpecMembers.of(json);
		Grant tools = grant(members, "tools", Grant.ALL);
		Spec spec = new Spec(members.name(), members.string("profile"), limits(members), requirement(members),
				members.flag("network"), members.flag("preserve"), tools, grant(members, "bindings", tools));
		members.checkAllRead();
		return spec;
	}

	private static @Nullable Limits limits(SpecMembers members) {
		SpecMembers limits = members.object("limits");
		return (limits != null) ? LimitsJson.read(limits) : null;
	}

	private static @Nullable Requirement requirement(SpecMembers members) {
		SpecMembers require = members.object("require");
		if (require == null) {
			return null;
		}
		String level = require.string("level");
		List<String> guarantees = require.strings("guarantees");
		Requirement requirement = new Requirement((level != null) ? level(require, level) : Level.PROCESS,
				guarantees(require, (guarantees != null) ? guarantees : List.of()));
		require.checkAllRead();
		return requirement;
	}

	private static Level level(SpecMembers require, String id) {
		return Stream.of(Level.ISOLATED, Level.PROCESS)
			.filter((level) -> level.id().equals(id))
			.findFirst()
			.orElseThrow(() -> require.refused("level", id, "which is no level that can be required",
					"Set it to process or isolated."));
	}

	private static Set<Guarantee> guarantees(SpecMembers require, List<String> ids) {
		Set<Guarantee> guarantees = EnumSet.noneOf(Guarantee.class);
		for (String id : ids) {
			guarantees.add(Stream.of(Guarantee.values())
				.filter((guarantee) -> guarantee.id().equals(id))
				.findFirst()
				.orElseThrow(() -> require.refused("guarantees", id, "which is no guarantee",
						"Name guarantees such as network or process-tree.")));
		}
		return guarantees;
	}

	private static Grant grant(SpecMembers members, String member, Grant absent) {
		List<String> names = members.strings(member);
		return (names != null) ? Grant.of(names) : absent;
	}

}
