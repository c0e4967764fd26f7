// Has a server of Node tell where it listens: the first line of stdout that begins so ends with its port.
const { Server } = require('node:net');

const listen = Server.prototype.listen;
Server.prototype.listen = function (...args) {
	this.once('listening', () => process.stdout.write(`listening on ${this.address().port}\n`));
	return listen.apply(this, args);
};
