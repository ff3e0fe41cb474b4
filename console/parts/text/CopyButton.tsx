import Button from '@splunk/react-ui/Button';
import { useEffect, useState } from 'react';

const SHOWN_MS = 3000;

/** Copies a text to the clipboard. @param label `Copy SPL` */
export function CopyButton({ label, text }: { label: string; text: string }) {
  const [outcome, setOutcome] = useState<'Copied' | 'Copy failed'>();
  useEffect(() => {
    if (!outcome) return;
    const timer = setTimeout(() => setOutcome(undefined), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = async () => setOutcome((await copied(text)) ? 'Copied' : 'Copy failed');
  return (
    <>
      <span role="status">{outcome}</span>
      <Button label={label} onClick={copy} />
    </>
  );
}

async function copied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // `navigator.clipboard` requires HTTPS.
    return copiedBySelection(text);
  }
}

function copiedBySelection(text: string): boolean {
  const area = document.createElement('textarea');
  area.value = text;
  area.style.position = 'fixed';
  const before = document.activeElement;
  (before?.closest('[role=dialog]') ?? document.body).append(area);
  area.select();
  const isDone = document.execCommand('copy');
  area.remove();
  if (before instanceof HTMLElement) before.focus();
  return isDone;
}
