export default function VectorStores() {
  return null;
}
