import Message from '@splunk/react-ui/Message';

interface WarningsProps {
  texts: readonly string[];
  /** Removes the warnings. */
  onRead?: () => void;
}

export function Warnings({ texts, onRead }: WarningsProps) {
  if (texts.length === 0) return null;
  return (
    <Message type="warning" appearance="fill" role="status" onRequestRemove={onRead}>
      <strong>Done, with warnings:</strong>
      {texts.map((text) => (
        <div key={text}>{text}</div>
      ))}
    </Message>
  );
}
