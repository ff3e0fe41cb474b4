import { Stack } from '../../app/styles.ts';
import { Export } from './Export.tsx';
import { Import } from './Import.tsx';

/** From one site to another, as a file. */
export default function Move() {
  return (
    <Stack style={{ gap: 24 }}>
      <Export />
      <Import />
    </Stack>
  );
}
