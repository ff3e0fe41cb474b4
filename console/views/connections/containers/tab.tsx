export default function ContainerConnections() {
  return null;
}
