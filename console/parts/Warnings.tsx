import Message from '@splunk/react-ui/Message';

/** What is worth knowing although all was done. */
export function Warnings({ texts }: { texts: readonly string[] }) {
  if (texts.length === 0) return null;
  return (
    <Message type="warning" appearance="fill" role="status">
      {texts.map((text) => (
        <div key={text}>{text}</div>
      ))}
    </Message>
  );
}
