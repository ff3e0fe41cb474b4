/** The OpenAPI document of the SageMaker endpoint. */
export const INVOCATIONS = {
  openapi: '3.0.3',
  info: { title: 'Capacity forecast', version: '1' },
  paths: {
    '/invocations': {
      post: {
        requestBody: {
          content: {
            'application/json': {
              schema: {
                type: 'object',
                properties: {
                  instances: { type: 'array', items: { type: 'object', properties: { cpu: { type: 'number' } } } },
                },
              },
            },
          },
        },
        responses: {
          200: {
            description: 'Predictions',
            content: {
              'application/json': {
                schema: { type: 'object', properties: { predictions: { type: 'array', items: { type: 'number' } } } },
              },
            },
          },
        },
      },
    },
  },
};
