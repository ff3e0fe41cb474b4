import { Stack } from '../../app/styles.ts';
import { Export } from './Export.tsx';
import { Import } from './Import.tsx';

export default function Move() {
  return (
    <Stack style={{ gap: 24 }}>
      <Export />
      <Import />
    </Stack>
  );
}
