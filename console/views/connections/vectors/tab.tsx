import { ResourcePage } from '../../../parts/panel/ResourcePage.tsx';
import { VECTOR_STORES } from './resource.tsx';

export default function VectorStores() {
  return <ResourcePage resource={VECTOR_STORES} />;
}
