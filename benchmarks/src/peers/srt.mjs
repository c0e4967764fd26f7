// Runs print(1) once for each line of its input, with the library of @anthropic-ai/sandbox-runtime, whose proxies stay up.
// Answers with the nanoseconds it took. Usage: node srt.mjs SETTINGS COMMAND
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { SandboxManager } from '@anthropic-ai/sandbox-runtime';

const [settings, command] = process.argv.slice(2);
await SandboxManager.initialize(JSON.parse(await readFile(settings, 'utf8')));
for await (const _ of createInterface({ input: process.stdin })) {
	const began = process.hrtime.bigint();
	const child = spawn(await SandboxManager.wrapWithSandbox(command), {
		shell: true,
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	let printed = '';
	child.stdout.on('data', (data) => (printed += data));
	const status = await new Promise((resolve) => child.on('close', resolve));
	const taken = process.hrtime.bigint() - began;
	SandboxManager.cleanupAfterCommand();
	console.log(status === 0 && printed === '1\n' ? `${taken}` : `status ${status}, printed ${JSON.stringify(printed)}`);
}
await SandboxManager.reset();
