export default function LlmConnections() {
  return null;
}
