import Uses from './uses/tab.tsx';

export default function Usage() {
  return <Uses />;
}
