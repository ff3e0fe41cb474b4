/** Who may register cloud models, and read and test the registrations. */
export const REGISTRARS = { all: ['register_ml_models'] } as const;
export const FLAG = 'model_registration';
