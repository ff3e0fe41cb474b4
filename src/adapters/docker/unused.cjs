// Stands in the bundle for what dockerode can do and we never ask of it: engines over SSH and build sessions over gRPC.
// They would be most of its size and load time, and bring native code along.
module.exports = {};
