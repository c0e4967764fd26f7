CREATE TABLE IF NOT EXISTS psych_sandbox_run (
	tenant VARCHAR(200) NOT NULL,
	run VARCHAR(250) NOT NULL,
	last_number BIGINT NOT NULL,
	accepted INTEGER NOT NULL,
	PRIMARY KEY (tenant, run)
);

CREATE TABLE IF NOT EXISTS psych_sandbox_run_event (
	tenant VARCHAR(200) NOT NULL,
	run VARCHAR(250) NOT NULL,
	event_number BIGINT NOT NULL,
	recorded_at TIMESTAMP (6) WITH TIME ZONE NOT NULL,
	attachment_handle VARCHAR(100),
	event CHARACTER LARGE OBJECT NOT NULL,
	PRIMARY KEY (tenant, run, event_number),
	FOREIGN KEY (tenant, run) REFERENCES psych_sandbox_run (tenant, run) ON DELETE CASCADE
);

CREATE INDEX IF NOT EXISTS psych_sandbox_run_event_handle ON psych_sandbox_run_event (tenant, run, attachment_handle);
