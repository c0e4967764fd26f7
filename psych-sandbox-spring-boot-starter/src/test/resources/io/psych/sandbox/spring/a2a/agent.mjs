// An agent on the server of the A2A SDK for JavaScript, in version 1.0 or 0.3 of the protocol. The protocol is the SDK's:
// cards, JSON-RPC, tasks and their store. Only what the agent does with a message is ours.
// Usage: node agent.mjs FOLDER 1.0|0.3   FOLDER holds node_modules; the port is the first line of stdout
import { createRequire } from 'node:module';

const [folder, version] = process.argv.slice(2);
const require = createRequire(folder + '/package.json');
const v1 = version === '1.0';
const sdk = v1 ? '@a2a-js/sdk' : 'a2a-js-sdk-v0';
const express = require('express');
const { DefaultRequestHandler, InMemoryTaskStore } = require(sdk + '/server');
const { agentCardHandler, jsonRpcHandler, UserBuilder } = require(sdk + '/server/express');
const { AgentEvent } = v1 ? require(sdk + '/server') : {};
const { TaskState, Role } = v1 ? require(sdk) : {};

// What was asked of the agent, for the test to look at.
const seen = { methods: [], polled: [], cancelled: [], authorization: [] };

const common = { metadata: undefined, filename: '', mediaType: '' };
const text = (value) => (v1 ? { ...common, content: { $case: 'text', value } } : { kind: 'text', text: value });
const data = (value) => (v1 ? { ...common, content: { $case: 'data', value } } : { kind: 'data', data: value });
const file = (name, mediaType, bytes) => (v1
	? { ...common, content: { $case: 'raw', value: bytes }, filename: name, mediaType }
	: { kind: 'file', file: { name, mimeType: mediaType, bytes: bytes.toString('base64') } });
const link = (url) => (v1 ? { ...common, content: { $case: 'url', value: url } } : { kind: 'file', file: { uri: url } });

function textOf(message) {
	return message.parts.map((part) => (v1 ? (part.content.$case === 'text' ? part.content.value : '') : part.text ?? '')).join('');
}

function dataOf(message) {
	const part = message.parts.find((each) => (v1 ? each.content.$case === 'data' : each.kind === 'data'));
	return part && (v1 ? part.content.value : part.data);
}

class Executor {
	running = new Map();

	cancelTask = async (taskId, bus) => {
		seen.cancelled.push(taskId);
		const { contextId, end } = this.running.get(taskId) ?? {};
		this.status(bus, { taskId, contextId: contextId ?? '' }, 'canceled');
		end?.();
	};

	message({ taskId, contextId }, parts) {
		const message = { messageId: crypto.randomUUID(), role: v1 ? Role.ROLE_AGENT : 'agent', parts, taskId, contextId };
		return v1 ? { ...message, extensions: [], metadata: {}, referenceTaskIds: [] } : { ...message, kind: 'message' };
	}

	task(bus, { taskId, contextId, userMessage, task }) {
		const status = { state: v1 ? TaskState.TASK_STATE_SUBMITTED : 'submitted', timestamp: new Date().toISOString() };
		const begun = { id: taskId, contextId, status, artifacts: [], history: [userMessage], metadata: {} };
		if (v1) {
			bus.publish(AgentEvent.task(task ?? begun));
		} else if (!task) {
			bus.publish({ ...begun, kind: 'task' });
		}
	}

	status(bus, context, state, ...parts) {
		const update = {
			taskId: context.taskId, contextId: context.contextId, metadata: {},
			status: {
				state: v1 ? TaskState['TASK_STATE_' + state.toUpperCase().replace('-', '_')] : state,
				timestamp: new Date().toISOString(),
				message: parts.length ? this.message(context, parts) : undefined,
			},
		};
		const final = state !== 'working' && state !== 'submitted';
		bus.publish(v1 ? AgentEvent.statusUpdate(update) : { ...update, kind: 'status-update', final });
	}

	artifact(bus, { taskId, contextId }, name, ...parts) {
		const artifact = { artifactId: name, name, description: 'What came of it', parts };
		if (v1) {
			bus.publish(AgentEvent.artifactUpdate({
				taskId, contextId, append: false, lastChunk: true, metadata: {},
				artifact: { ...artifact, metadata: {}, extensions: [] },
			}));
		} else {
			bus.publish({ kind: 'artifact-update', taskId, contextId, artifact, lastChunk: true });
		}
	}

	async execute(context, bus) {
		const said = textOf(context.userMessage);
		const skill = context.userMessage.metadata?.skillId;
		if (skill === 'answer-at-once') {
			const parts = [text(`You said: ${said}`), data({ received: dataOf(context.userMessage) ?? null })];
			const message = this.message({ contextId: context.contextId, taskId: undefined }, parts);
			bus.publish(v1 ? AgentEvent.message({ ...message, taskId: '' }) : message);
			bus.finished();
			return;
		}
		this.task(bus, context);
		this.status(bus, context, 'working', text('Processing your question'));
		// Long enough for the client to ask more than once.
		await new Promise((resolve) => setTimeout(resolve, 300));
		switch (skill) {
			case 'greet':
				this.artifact(bus, context, 'Result', text(`Hello World! You said: '${said}'.`));
				this.status(bus, context, 'completed');
				break;
			case 'make-files':
				this.artifact(bus, context, 'files', file('a.bin', 'application/octet-stream', Buffer.from([0, 1, 2])),
					link('https://files.example.org/a'), data([1, 2]));
				this.status(bus, context, 'completed', text('Two files'));
				break;
			case 'ask-back':
				if (context.task) {
					this.status(bus, context, 'completed', text(`Booked for ${said}`));
				} else {
					this.status(bus, context, 'input-required', text('For which day?'));
				}
				break;
			case 'sign-in':
				this.status(bus, context, 'auth-required', text('Sign in first'));
				break;
			case 'fail':
				this.status(bus, context, 'failed', text('The disk is full'));
				break;
			case 'reject':
				this.status(bus, context, 'rejected', text('I do not do that'));
				break;
			case 'throw':
				throw new Error('a bug of the agent');
			case 'work-forever':
				await new Promise((end) => this.running.set(context.taskId, { contextId: context.contextId, end }));
				break;
			case 'die':
				process.exit(3);
		}
		bus.finished();
	}
}

const ids = ['answer-at-once', 'greet', 'make-files', 'ask-back', 'sign-in', 'fail', 'reject', 'throw', 'work-forever', 'die'];
const more = v1 ? { securityRequirements: [] } : {};
const skills = ids.map((id) => ({
	id, name: id, description: `Does what ${id} says.`, tags: ['test'], examples: [`Please ${id}`], inputModes: ['text'],
	outputModes: ['text'], ...more,
}));

const app = express();
const server = app.listen(0, '127.0.0.1', () => {
	const url = `http://localhost:${server.address().port}/a2a`;
	const card = {
		name: 'Test agent', description: 'An agent for tests', version: '1.0.0', defaultInputModes: ['text'],
		defaultOutputModes: ['text'], skills,
		...(v1 ? {
			supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', tenant: '', protocolVersion: '1.0' }],
			capabilities: { streaming: false, pushNotifications: false, extensions: [], extendedAgentCard: false },
			securitySchemes: {}, securityRequirements: [], signatures: [], provider: undefined,
		} : { url, protocolVersion: '0.3.0', preferredTransport: 'JSONRPC', capabilities: { streaming: false } }),
	};
	const requestHandler = new DefaultRequestHandler(card, new InMemoryTaskStore(), new Executor());
	app.get('/seen', (_request, response) => response.json(seen));
	app.use('/.well-known/agent-card.json', agentCardHandler({ agentCardProvider: requestHandler }));
	app.use('/a2a', express.json(), (request, _response, next) => {
		seen.methods.push(request.body?.method);
		if (['GetTask', 'tasks/get'].includes(request.body?.method)) {
			seen.polled.push(request.body.params.id);
		}
		seen.authorization.push(request.headers.authorization ?? '');
		next();
	}, jsonRpcHandler({ requestHandler, userBuilder: UserBuilder.noAuthentication }));
	process.stdout.write(`${server.address().port}\n`);
});
// Without whoever started it, it has nothing to do.
process.stdin.on('end', () => process.exit()).resume();
