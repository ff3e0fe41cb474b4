import type { Service } from '../names.ts';
import { assistantFamily } from './assistantFamily.ts';
import { cloudModelHub } from './cloudModelHub.ts';
import { enterpriseCloudChat } from './enterpriseCloudChat.ts';
import { fastInference } from './fastInference.ts';
import { generalChat } from './generalChat.ts';
import { localRuntime } from './localRuntime.ts';
import { platformHostedModels } from './platformHostedModels.ts';
import { searchVendorModels } from './searchVendorModels.ts';
import type { LlmService } from './service.ts';

/** Every service of the enum: one that is forgotten does not compile. */
export const LLM_SERVICES: Readonly<Record<Service, LlmService>> = {
  General_Chat: generalChat,
  Enterprise_Cloud_Chat: enterpriseCloudChat,
  Assistant_Family: assistantFamily,
  Cloud_Model_Hub: cloudModelHub,
  Fast_Inference: fastInference,
  Search_Vendor_Models: searchVendorModels,
  Local_Runtime: localRuntime,
  Platform_Hosted_Models: platformHostedModels,
};
