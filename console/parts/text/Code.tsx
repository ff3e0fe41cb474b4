import { variables } from '@splunk/themes';
import styled from 'styled-components';

export const Code = styled.pre`
  margin: 0;
  padding: 8px 12px;
  white-space: pre-wrap;
  overflow-wrap: anywhere;
  font-family: ${variables.monoFontFamily};
  font-size: 13px;
  color: ${variables.contentColorActive};
  background: ${variables.backgroundColorPage};
  border: 1px solid ${variables.neutral200};
`;
