// Generated from the OpenAPI document (npm run generate). Do not edit.

export interface Operations {
  /** MCP connections the caller may read; with name= one of them. */
  listMcpConnections: {
    query?: {
      /** Page size; 0 = all. Default 30. */
      count?: number;
      /** Entries to pass over. Default 0. */
      offset?: number;
      /** Default name. */
      sort_key?: "name" | "type" | "description" | "created_at" | "created_by" | "last_updated_at" | "last_updated_by" | "auth_state" | "version";
      /** Default asc. */
      sort_dir?: "asc" | "desc";
      /** Case-insensitive part of name, title or description. */
      search?: string;
      /** Unique name, compared without regard to case. */
      name?: string;
    };
    reply: {
      status: "success";
      message?: string;
      warnings?: Array<string>;
      result?: Array<{
        name: string;
        /** PLATFORM: bearer token. ISSUE_TRACKER: OAuth bearer token, with refresh where it is switched on. */
        type: "PLATFORM" | "ISSUE_TRACKER";
        description: string;
        details: {
          url: string;
          /** Token: ***MASKED*** when one is stored */
          token?: string;
          client_id?: string;
          /** Client secret: ***MASKED*** when one is stored */
          client_secret?: string;
          /** Refresh token: ***MASKED*** when one is stored */
          refresh_token?: string;
          is_auto_refresh_enabled?: boolean;
          token_url?: string;
          verify_tls: boolean;
          ca_certificate?: string;
          headers?: Record<string, string>;
        };
        tools_allowed?: Array<string>;
        acl: {
          owner: string;
          sharing: "user" | "app" | "global";
          perms: {
            read: Array<string>;
            write: Array<string>;
          };
        };
        version: number;
        /** When created, epoch seconds with a fraction */
        created_at: number;
        created_by: string;
        /** When last updated, epoch seconds with a fraction */
        last_updated_at: number;
        last_updated_by: string;
        transport_detected?: "streamable_http" | "sse";
        token_url_detected?: string;
        auth_state: "ok" | "refresh_due" | "reauth_required" | "unknown";
        last_test?: {
          status: "success" | "fail";
          error_code: string | null;
          /** When tested, epoch seconds with a fraction */
          tested_at: number;
          response_time_ms: number;
        };
      }>;
      pagination?: {
        offset: number;
        count: number;
        total: number;
        returned: number;
        has_more: boolean;
        next_offset: number | null;
      };
      config?: {
        name: string;
        /** PLATFORM: bearer token. ISSUE_TRACKER: OAuth bearer token, with refresh where it is switched on. */
        type: "PLATFORM" | "ISSUE_TRACKER";
        description: string;
        details: {
          url: string;
          /** Token: ***MASKED*** when one is stored */
          token?: string;
          client_id?: string;
          /** Client secret: ***MASKED*** when one is stored */
          client_secret?: string;
          /** Refresh token: ***MASKED*** when one is stored */
          refresh_token?: string;
          is_auto_refresh_enabled?: boolean;
          token_url?: string;
          verify_tls: boolean;
          ca_certificate?: string;
          headers?: Record<string, string>;
        };
        tools_allowed?: Array<string>;
        acl: {
          owner: string;
          sharing: "user" | "app" | "global";
          perms: {
            read: Array<string>;
            write: Array<string>;
          };
        };
        version: number;
        /** When created, epoch seconds with a fraction */
        created_at: number;
        created_by: string;
        /** When last updated, epoch seconds with a fraction */
        last_updated_at: number;
        last_updated_by: string;
        transport_detected?: "streamable_http" | "sse";
        token_url_detected?: string;
        auth_state: "ok" | "refresh_due" | "reauth_required" | "unknown";
        last_test?: {
          status: "success" | "fail";
          error_code: string | null;
          /** When tested, epoch seconds with a fraction */
          tested_at: number;
          response_time_ms: number;
        };
      };
    };
  };
  /** Create an MCP connection. */
  createMcpConnection: {
    body: {
      /** Unique name, compared without regard to case. */
      name: string;
      /** PLATFORM: bearer token. ISSUE_TRACKER: OAuth bearer token, with refresh where it is switched on. */
      type: "PLATFORM" | "ISSUE_TRACKER";
      details: {
        /** http(s) address without user info */
        url: string;
        /** Bearer or OAuth access token */
        token?: string | null;
        client_id?: string | null;
        /** OAuth client secret (ISSUE_TRACKER) */
        client_secret?: string | null;
        /** OAuth refresh token (ISSUE_TRACKER) */
        refresh_token?: string | null;
        /** Refresh the token before and after it expires (ISSUE_TRACKER) */
        is_auto_refresh_enabled?: boolean;
        token_url?: string | null;
        /** Default true */
        verify_tls?: boolean;
        ca_certificate?: string | null;
        headers?: Record<string, string | null> | null;
      };
      description?: string | null;
      tools_allowed?: Array<string> | null;
      /** Who may read and write the record; `*` = everyone. Default: the creator alone. */
      acl?: {
        owner?: string;
        sharing?: "user" | "app" | "global";
        perms?: {
          /** Existing roles that may read, or * */
          read?: Array<string>;
          /** Existing roles that may read and write, or * */
          write?: Array<string>;
        };
      };
    };
    reply: {
      status: "success";
      message?: string;
      warnings?: Array<string>;
      config: {
        name: string;
        /** PLATFORM: bearer token. ISSUE_TRACKER: OAuth bearer token, with refresh where it is switched on. */
        type: "PLATFORM" | "ISSUE_TRACKER";
        description: string;
        details: {
          url: string;
          /** Token: ***MASKED*** when one is stored */
          token?: string;
          client_id?: string;
          /** Client secret: ***MASKED*** when one is stored */
          client_secret?: string;
          /** Refresh token: ***MASKED*** when one is stored */
          refresh_token?: string;
          is_auto_refresh_enabled?: boolean;
          token_url?: string;
          verify_tls: boolean;
          ca_certificate?: string;
          headers?: Record<string, string>;
        };
        tools_allowed?: Array<string>;
        acl: {
          owner: string;
          sharing: "user" | "app" | "global";
          perms: {
            read: Array<string>;
            write: Array<string>;
          };
        };
        version: number;
        /** When created, epoch seconds with a fraction */
        created_at: number;
        created_by: string;
        /** When last updated, epoch seconds with a fraction */
        last_updated_at: number;
        last_updated_by: string;
        transport_detected?: "streamable_http" | "sse";
        token_url_detected?: string;
        auth_state: "ok" | "refresh_due" | "reauth_required" | "unknown";
        last_test?: {
          status: "success" | "fail";
          error_code: string | null;
          /** When tested, epoch seconds with a fraction */
          tested_at: number;
          response_time_ms: number;
        };
      };
    };
  };
  /** Change an MCP connection: name and any subset of its fields. */
  updateMcpConnection: {
    query?: {
      version?: number;
    };
    ifMatch?: number;
    body: {
      /** Unique name, compared without regard to case. */
      name: string;
      /** PLATFORM: bearer token. ISSUE_TRACKER: OAuth bearer token, with refresh where it is switched on. */
      type?: "PLATFORM" | "ISSUE_TRACKER";
      details?: {
        /** http(s) address without user info */
        url?: string;
        /** Bearer or OAuth access token */
        token?: string | null;
        client_id?: string | null;
        /** OAuth client secret (ISSUE_TRACKER) */
        client_secret?: string | null;
        /** OAuth refresh token (ISSUE_TRACKER) */
        refresh_token?: string | null;
        /** Refresh the token before and after it expires (ISSUE_TRACKER) */
        is_auto_refresh_enabled?: boolean;
        token_url?: string | null;
        /** Default true */
        verify_tls?: boolean;
        ca_certificate?: string | null;
        headers?: Record<string, string | null> | null;
      };
      description?: string | null;
      tools_allowed?: Array<string> | null;
      /** Who may read and write the record; `*` = everyone. Default: the creator alone. */
      acl?: {
        owner?: string;
        sharing?: "user" | "app" | "global";
        perms?: {
          /** Existing roles that may read, or * */
          read?: Array<string>;
          /** Existing roles that may read and write, or * */
          write?: Array<string>;
        };
      };
      /** Condition: the version that this change is based on. */
      version?: number;
    };
    reply: {
      status: "success";
      message?: string;
      warnings?: Array<string>;
      config: {
        name: string;
        /** PLATFORM: bearer token. ISSUE_TRACKER: OAuth bearer token, with refresh where it is switched on. */
        type: "PLATFORM" | "ISSUE_TRACKER";
        description: string;
        details: {
          url: string;
          /** Token: ***MASKED*** when one is stored */
          token?: string;
          client_id?: string;
          /** Client secret: ***MASKED*** when one is stored */
          client_secret?: string;
          /** Refresh token: ***MASKED*** when one is stored */
          refresh_token?: string;
          is_auto_refresh_enabled?: boolean;
          token_url?: string;
          verify_tls: boolean;
          ca_certificate?: string;
          headers?: Record<string, string>;
        };
        tools_allowed?: Array<string>;
        acl: {
          owner: string;
          sharing: "user" | "app" | "global";
          perms: {
            read: Array<string>;
            write: Array<string>;
          };
        };
        version: number;
        /** When created, epoch seconds with a fraction */
        created_at: number;
        created_by: string;
        /** When last updated, epoch seconds with a fraction */
        last_updated_at: number;
        last_updated_by: string;
        transport_detected?: "streamable_http" | "sse";
        token_url_detected?: string;
        auth_state: "ok" | "refresh_due" | "reauth_required" | "unknown";
        last_test?: {
          status: "success" | "fail";
          error_code: string | null;
          /** When tested, epoch seconds with a fraction */
          tested_at: number;
          response_time_ms: number;
        };
      };
    };
  };
  /** One MCP connection. */
  getMcpConnection: {
    params: {
      /** Unique name, compared without regard to case. */
      name: string;
    };
    reply: {
      status: "success";
      message?: string;
      warnings?: Array<string>;
      config: {
        name: string;
        /** PLATFORM: bearer token. ISSUE_TRACKER: OAuth bearer token, with refresh where it is switched on. */
        type: "PLATFORM" | "ISSUE_TRACKER";
        description: string;
        details: {
          url: string;
          /** Token: ***MASKED*** when one is stored */
          token?: string;
          client_id?: string;
          /** Client secret: ***MASKED*** when one is stored */
          client_secret?: string;
          /** Refresh token: ***MASKED*** when one is stored */
          refresh_token?: string;
          is_auto_refresh_enabled?: boolean;
          token_url?: string;
          verify_tls: boolean;
          ca_certificate?: string;
          headers?: Record<string, string>;
        };
        tools_allowed?: Array<string>;
        acl: {
          owner: string;
          sharing: "user" | "app" | "global";
          perms: {
            read: Array<string>;
            write: Array<string>;
          };
        };
        version: number;
        /** When created, epoch seconds with a fraction */
        created_at: number;
        created_by: string;
        /** When last updated, epoch seconds with a fraction */
        last_updated_at: number;
        last_updated_by: string;
        transport_detected?: "streamable_http" | "sse";
        token_url_detected?: string;
        auth_state: "ok" | "refresh_due" | "reauth_required" | "unknown";
        last_test?: {
          status: "success" | "fail";
          error_code: string | null;
          /** When tested, epoch seconds with a fraction */
          tested_at: number;
          response_time_ms: number;
        };
      };
    };
  };
  /** Delete an MCP connection with its secrets. */
  deleteMcpConnection: {
    params: {
      /** Unique name, compared without regard to case. */
      name: string;
    };
    query?: {
      /** Delete although agents use it */
      force?: boolean;
      version?: number;
    };
    ifMatch?: number;
    reply: {
      status: "success";
      message?: string;
      warnings?: Array<string>;
      name: string;
    };
  };
  /** Connect to the MCP server of a saved or given connection; nothing but last_test is written. */
  testMcpConnection: {
    body: {
      /** Unique name, compared without regard to case. */
      name?: string;
      /** PLATFORM: bearer token. ISSUE_TRACKER: OAuth bearer token, with refresh where it is switched on. */
      type?: "PLATFORM" | "ISSUE_TRACKER";
      details?: {
        /** http(s) address without user info */
        url?: string;
        /** Bearer or OAuth access token */
        token?: string | null;
        client_id?: string | null;
        /** OAuth client secret (ISSUE_TRACKER) */
        client_secret?: string | null;
        /** OAuth refresh token (ISSUE_TRACKER) */
        refresh_token?: string | null;
        /** Refresh the token before and after it expires (ISSUE_TRACKER) */
        is_auto_refresh_enabled?: boolean;
        token_url?: string | null;
        /** Default true */
        verify_tls?: boolean;
        ca_certificate?: string | null;
        headers?: Record<string, string | null> | null;
      };
    };
    reply: {
      status: "success" | "fail";
      message?: string;
      /** Only with status fail */
      error_code?: string;
      /** What a person can do about this code */
      remedy?: string;
      warnings?: Array<string>;
      success: boolean;
      data: {
        mcp_name: string | null;
        /** PLATFORM: bearer token. ISSUE_TRACKER: OAuth bearer token, with refresh where it is switched on. */
        mcp_type: "PLATFORM" | "ISSUE_TRACKER";
        /** Without user info and query */
        mcp_server_url: string;
        response_time_ms: number;
        http_status: number | null;
        /** An MCP answer arrived without 401 or 403 */
        authenticated: boolean;
        /** An HTTP answer arrived */
        reachable: boolean;
        transport: "streamable_http" | "sse" | null;
        protocol_version: string | null;
        server_info?: {
          name: string;
          version: string;
          title?: string;
        };
      };
    };
  };
  /** All tools of the MCP server of a saved or given connection. */
  listMcpTools: {
    body: {
      /** Unique name, compared without regard to case. */
      name?: string;
      /** PLATFORM: bearer token. ISSUE_TRACKER: OAuth bearer token, with refresh where it is switched on. */
      type?: "PLATFORM" | "ISSUE_TRACKER";
      details?: {
        /** http(s) address without user info */
        url?: string;
        /** Bearer or OAuth access token */
        token?: string | null;
        client_id?: string | null;
        /** OAuth client secret (ISSUE_TRACKER) */
        client_secret?: string | null;
        /** OAuth refresh token (ISSUE_TRACKER) */
        refresh_token?: string | null;
        /** Refresh the token before and after it expires (ISSUE_TRACKER) */
        is_auto_refresh_enabled?: boolean;
        token_url?: string | null;
        /** Default true */
        verify_tls?: boolean;
        ca_certificate?: string | null;
        headers?: Record<string, string | null> | null;
      };
    };
    reply: {
      status: "success";
      message?: string;
      warnings?: Array<string>;
      success: boolean;
      data: {
        mcp_name: string | null;
        /** PLATFORM: bearer token. ISSUE_TRACKER: OAuth bearer token, with refresh where it is switched on. */
        mcp_type: "PLATFORM" | "ISSUE_TRACKER";
        /** Without user info and query */
        mcp_server_url: string;
        response_time_ms: number;
        tool_count: number;
        tools: Array<{
          name: string;
          title?: string;
          description: string;
          input_schema?: Record<string, unknown>;
          annotations?: Record<string, unknown>;
          /** Whether `tools_allowed` lets agents call it */
          allowed: boolean;
        }>;
        /** Tool names, against the last successful listing of the saved record */
        drift: {
          added: Array<string>;
          removed: Array<string>;
          changed: Array<string>;
        };
        /** The listing is not whole; see warnings */
        truncated?: boolean;
      };
    };
  };
  /** LLM configurations, secrets masked. */
  listLlmConfigurations: {
    query?: {
      /** Page size; 0 = all. Default 30. */
      count?: number;
      /** Entries to pass over. Default 0. */
      offset?: number;
      /** Default service. */
      sort_key?: "service" | "connection_name" | "model" | "created_at" | "last_updated_at";
      /** Default asc. */
      sort_dir?: "asc" | "desc";
      /** Case-insensitive part of name, title or description. */
      search?: string;
      /** The kind of provider */
      service?: "General_Chat" | "Enterprise_Cloud_Chat" | "Assistant_Family" | "Cloud_Model_Hub" | "Fast_Inference" | "Search_Vendor_Models" | "Local_Runtime" | "Platform_Hosted_Models";
      /** Free-form name, compared without regard to case; the first spelling stays. */
      connection_name?: string;
    };
    reply: {
      status: "success";
      message?: string;
      warnings?: Array<string>;
      result: Array<{
        /** The kind of provider */
        service: "General_Chat" | "Enterprise_Cloud_Chat" | "Assistant_Family" | "Cloud_Model_Hub" | "Fast_Inference" | "Search_Vendor_Models" | "Local_Runtime" | "Platform_Hosted_Models";
        connection_name: string;
        model: string;
        /** As submitted; secrets as ***MASKED*** */
        servicesettings: Record<string, unknown>;
        modelsettings?: Record<string, unknown>;
        is_saved: boolean;
        is_model_saved: boolean;
        version: number;
        /** When created, epoch seconds with a fraction */
        created_at: number;
        created_by: string;
        /** When last updated, epoch seconds with a fraction */
        last_updated_at: number;
        last_updated_by: string;
        last_test?: {
          status: "success" | "fail";
          error_code: string | null;
          /** When tested, epoch seconds with a fraction */
          tested_at: number;
          response_time_ms: number;
        };
      }>;
      pagination: {
        offset: number;
        count: number;
        total: number;
        returned: number;
        has_more: boolean;
        next_offset: number | null;
      };
    };
  };
  /** Create or replace an LLM configuration; settings and secrets of its connection change for all its models. */
  saveLlmConfiguration: {
    query?: {
      version?: number;
    };
    ifMatch?: number;
    body: {
      /** The kind of provider */
      service: "General_Chat" | "Enterprise_Cloud_Chat" | "Assistant_Family" | "Cloud_Model_Hub" | "Fast_Inference" | "Search_Vendor_Models" | "Local_Runtime" | "Platform_Hosted_Models";
      /** Free-form name, compared without regard to case; the first spelling stays. */
      connection_name: string;
      /** The provider's model id, compared exactly; it may hold / and :. */
      model: string;
      /** Settings of the connection, shared by all its models */
      servicesettings?: {
        endpoint?: {
          value?: string | null;
        } | null;
        access_token?: {
          /** API key */
          value?: string | null;
        } | null;
        request_timeout?: {
          value?: number | null;
        } | null;
        enterprise_api_version?: {
          value?: string | null;
        } | null;
        region?: {
          value?: string | null;
        } | null;
        cloud_access_key_id?: {
          value?: string | null;
        } | null;
        cloud_access_token?: {
          /** Cloud_Model_Hub: secret access key */
          value?: string | null;
        } | null;
        role_arn?: {
          value?: string | null;
        } | null;
        verify_tls?: {
          value?: boolean | null;
        } | null;
        ca_certificate?: {
          value?: string | null;
        } | null;
      };
      modelsettings?: {
        max_tokens?: {
          value?: number | null;
        } | null;
        response_variability?: {
          value?: number | null;
        } | null;
      };
      /** false = a draft; default true */
      is_saved?: boolean;
      /** false = a draft; default true */
      is_model_saved?: boolean;
      /** Condition: the version that this change is based on. */
      version?: number;
    };
    reply: {
      status: "success";
      message?: string;
      warnings?: Array<string>;
      /** Free-form: unknown fields are kept; texts in those that look like credentials are treated as secrets. */
      updated_config: {
        /** The kind of provider */
        service: "General_Chat" | "Enterprise_Cloud_Chat" | "Assistant_Family" | "Cloud_Model_Hub" | "Fast_Inference" | "Search_Vendor_Models" | "Local_Runtime" | "Platform_Hosted_Models";
        connection_name: string;
        model: string;
        /** As submitted; secrets as ***MASKED*** */
        servicesettings: Record<string, unknown>;
        modelsettings?: Record<string, unknown>;
        is_saved: boolean;
        is_model_saved: boolean;
        version: number;
        /** When created, epoch seconds with a fraction */
        created_at: number;
        created_by: string;
        /** When last updated, epoch seconds with a fraction */
        last_updated_at: number;
        last_updated_by: string;
        last_test?: {
          status: "success" | "fail";
          error_code: string | null;
          /** When tested, epoch seconds with a fraction */
          tested_at: number;
          response_time_ms: number;
        };
      };
    };
  };
  /** One LLM configuration; the model is the whole rest of the path. */
  getLlmConfiguration: {
    params: {
      /** The kind of provider */
      service: "General_Chat" | "Enterprise_Cloud_Chat" | "Assistant_Family" | "Cloud_Model_Hub" | "Fast_Inference" | "Search_Vendor_Models" | "Local_Runtime" | "Platform_Hosted_Models";
      /** Free-form name, compared without regard to case; the first spelling stays. */
      connection_name: string;
      /** The provider's model id, compared exactly; it may hold / and :. */
      model: string;
    };
    reply: {
      status: "success";
      message?: string;
      warnings?: Array<string>;
      /** Free-form: unknown fields are kept; texts in those that look like credentials are treated as secrets. */
      config: {
        /** The kind of provider */
        service: "General_Chat" | "Enterprise_Cloud_Chat" | "Assistant_Family" | "Cloud_Model_Hub" | "Fast_Inference" | "Search_Vendor_Models" | "Local_Runtime" | "Platform_Hosted_Models";
        connection_name: string;
        model: string;
        /** As submitted; secrets as ***MASKED*** */
        servicesettings: Record<string, unknown>;
        modelsettings?: Record<string, unknown>;
        is_saved: boolean;
        is_model_saved: boolean;
        version: number;
        /** When created, epoch seconds with a fraction */
        created_at: number;
        created_by: string;
        /** When last updated, epoch seconds with a fraction */
        last_updated_at: number;
        last_updated_by: string;
        last_test?: {
          status: "success" | "fail";
          error_code: string | null;
          /** When tested, epoch seconds with a fraction */
          tested_at: number;
          response_time_ms: number;
        };
      };
    };
  };
  /** Delete an LLM configuration; with a connection's last one, its secrets are deleted too. */
  deleteLlmConfiguration: {
    params: {
      /** The kind of provider */
      service: "General_Chat" | "Enterprise_Cloud_Chat" | "Assistant_Family" | "Cloud_Model_Hub" | "Fast_Inference" | "Search_Vendor_Models" | "Local_Runtime" | "Platform_Hosted_Models";
      /** Free-form name, compared without regard to case; the first spelling stays. */
      connection_name: string;
      /** The provider's model id, compared exactly; it may hold / and :. */
      model: string;
    };
    query?: {
      /** Delete although agents use it */
      force?: boolean;
      version?: number;
    };
    ifMatch?: number;
    reply: {
      status: "success";
      message?: string;
      warnings?: Array<string>;
      /** The kind of provider */
      service: "General_Chat" | "Enterprise_Cloud_Chat" | "Assistant_Family" | "Cloud_Model_Hub" | "Fast_Inference" | "Search_Vendor_Models" | "Local_Runtime" | "Platform_Hosted_Models";
      /** Free-form name, compared without regard to case; the first spelling stays. */
      connection_name: string;
      /** The provider's model id, compared exactly; it may hold / and :. */
      model: string;
    };
  };
  /** The services, their fields and known models: all that it takes to draw a form. */
  getLlmCatalogue: {
    reply: {
      status: "success";
      message?: string;
      warnings?: Array<string>;
      config: {
        services: {
          General_Chat: {
            display_name: string;
            default_endpoint: string | null;
            fields: Record<string, {
              label: string;
              type: "string" | "integer" | "number" | "boolean" | "text";
              /** Needed before the provider can be called */
              required: boolean;
              secret: boolean;
              default: string | number | boolean | null;
              description: string;
              minimum?: number;
              maximum?: number;
            }>;
            model_fields: Record<string, {
              label: string;
              type: "string" | "integer" | "number" | "boolean" | "text";
              /** Needed before the provider can be called */
              required: boolean;
              secret: boolean;
              default: string | number | boolean | null;
              description: string;
              minimum?: number;
              maximum?: number;
            }>;
            models: Array<{
              id: string;
              /** provider: from the last refresh_models; configured: of a stored configuration */
              source: "provider" | "configured";
            }>;
            supports: {
              list_models: boolean;
            };
          };
          Enterprise_Cloud_Chat: {
            display_name: string;
            default_endpoint: string | null;
            fields: Record<string, {
              label: string;
              type: "string" | "integer" | "number" | "boolean" | "text";
              /** Needed before the provider can be called */
              required: boolean;
              secret: boolean;
              default: string | number | boolean | null;
              description: string;
              minimum?: number;
              maximum?: number;
            }>;
            model_fields: Record<string, {
              label: string;
              type: "string" | "integer" | "number" | "boolean" | "text";
              /** Needed before the provider can be called */
              required: boolean;
              secret: boolean;
              default: string | number | boolean | null;
              description: string;
              minimum?: number;
              maximum?: number;
            }>;
            models: Array<{
              id: string;
              /** provider: from the last refresh_models; configured: of a stored configuration */
              source: "provider" | "configured";
            }>;
            supports: {
              list_models: boolean;
            };
          };
          Assistant_Family: {
            display_name: string;
            default_endpoint: string | null;
            fields: Record<string, {
              label: string;
              type: "string" | "integer" | "number" | "boolean" | "text";
              /** Needed before the provider can be called */
              required: boolean;
              secret: boolean;
              default: string | number | boolean | null;
              description: string;
              minimum?: number;
              maximum?: number;
            }>;
            model_fields: Record<string, {
              label: string;
              type: "string" | "integer" | "number" | "boolean" | "text";
              /** Needed before the provider can be called */
              required: boolean;
              secret: boolean;
              default: string | number | boolean | null;
              description: string;
              minimum?: number;
              maximum?: number;
            }>;
            models: Array<{
              id: string;
              /** provider: from the last refresh_models; configured: of a stored configuration */
              source: "provider" | "configured";
            }>;
            supports: {
              list_models: boolean;
            };
          };
          Cloud_Model_Hub: {
            display_name: string;
            default_endpoint: string | null;
            fields: Record<string, {
              label: string;
              type: "string" | "integer" | "number" | "boolean" | "text";
              /** Needed before the provider can be called */
              required: boolean;
              secret: boolean;
              default: string | number | boolean | null;
              description: string;
              minimum?: number;
              maximum?: number;
            }>;
            model_fields: Record<string, {
              label: string;
              type: "string" | "integer" | "number" | "boolean" | "text";
              /** Needed before the provider can be called */
              required: boolean;
              secret: boolean;
              default: string | number | boolean | null;
              description: string;
              minimum?: number;
              maximum?: number;
            }>;
            models: Array<{
              id: string;
              /** provider: from the last refresh_models; configured: of a stored configuration */
              source: "provider" | "configured";
            }>;
            supports: {
              list_models: boolean;
            };
          };
          Fast_Inference: {
            display_name: string;
            default_endpoint: string | null;
            fields: Record<string, {
              label: string;
              type: "string" | "integer" | "number" | "boolean" | "text";
              /** Needed before the provider can be called */
              required: boolean;
              secret: boolean;
              default: string | number | boolean | null;
              description: string;
              minimum?: number;
              maximum?: number;
            }>;
            model_fields: Record<string, {
              label: string;
              type: "string" | "integer" | "number" | "boolean" | "text";
              /** Needed before the provider can be called */
              required: boolean;
              secret: boolean;
              default: string | number | boolean | null;
              description: string;
              minimum?: number;
              maximum?: number;
            }>;
            models: Array<{
              id: string;
              /** provider: from the last refresh_models; configured: of a stored configuration */
              source: "provider" | "configured";
            }>;
            supports: {
              list_models: boolean;
            };
          };
          Search_Vendor_Models: {
            display_name: string;
            default_endpoint: string | null;
            fields: Record<string, {
              label: string;
              type: "string" | "integer" | "number" | "boolean" | "text";
              /** Needed before the provider can be called */
              required: boolean;
              secret: boolean;
              default: string | number | boolean | null;
              description: string;
              minimum?: number;
              maximum?: number;
            }>;
            model_fields: Record<string, {
              label: string;
              type: "string" | "integer" | "number" | "boolean" | "text";
              /** Needed before the provider can be called */
              required: boolean;
              secret: boolean;
              default: string | number | boolean | null;
              description: string;
              minimum?: number;
              maximum?: number;
            }>;
            models: Array<{
              id: string;
              /** provider: from the last refresh_models; configured: of a stored configuration */
              source: "provider" | "configured";
            }>;
            supports: {
              list_models: boolean;
            };
          };
          Local_Runtime: {
            display_name: string;
            default_endpoint: string | null;
            fields: Record<string, {
              label: string;
              type: "string" | "integer" | "number" | "boolean" | "text";
              /** Needed before the provider can be called */
              required: boolean;
              secret: boolean;
              default: string | number | boolean | null;
              description: string;
              minimum?: number;
              maximum?: number;
            }>;
            model_fields: Record<string, {
              label: string;
              type: "string" | "integer" | "number" | "boolean" | "text";
              /** Needed before the provider can be called */
              required: boolean;
              secret: boolean;
              default: string | number | boolean | null;
              description: string;
              minimum?: number;
              maximum?: number;
            }>;
            models: Array<{
              id: string;
              /** provider: from the last refresh_models; configured: of a stored configuration */
              source: "provider" | "configured";
            }>;
            supports: {
              list_models: boolean;
            };
          };
          Platform_Hosted_Models: {
            display_name: string;
            default_endpoint: string | null;
            fields: Record<string, {
              label: string;
              type: "string" | "integer" | "number" | "boolean" | "text";
              /** Needed before the provider can be called */
              required: boolean;
              secret: boolean;
              default: string | number | boolean | null;
              description: string;
              minimum?: number;
              maximum?: number;
            }>;
            model_fields: Record<string, {
              label: string;
              type: "string" | "integer" | "number" | "boolean" | "text";
              /** Needed before the provider can be called */
              required: boolean;
              secret: boolean;
              default: string | number | boolean | null;
              description: string;
              minimum?: number;
              maximum?: number;
            }>;
            models: Array<{
              id: string;
              /** provider: from the last refresh_models; configured: of a stored configuration */
              source: "provider" | "configured";
            }>;
            supports: {
              list_models: boolean;
            };
          };
        };
        limits: Record<string, unknown>;
      };
    };
  };
  /** Test a saved or given configuration, or ask its provider for its models. */
  actOnLlmProvider: {
    body: {
      /** Default test */
      action?: "test" | "refresh_models";
      /** chat (default) asks the model; list is free of charge */
      probe?: "chat" | "list";
      /** The kind of provider */
      service: "General_Chat" | "Enterprise_Cloud_Chat" | "Assistant_Family" | "Cloud_Model_Hub" | "Fast_Inference" | "Search_Vendor_Models" | "Local_Runtime" | "Platform_Hosted_Models";
      /** Free-form name, compared without regard to case; the first spelling stays. */
      connection_name?: string;
      /** The provider's model id, compared exactly; it may hold / and :. */
      model?: string;
      /** Settings of the connection, shared by all its models */
      servicesettings?: {
        endpoint?: {
          value?: string | null;
        } | null;
        access_token?: {
          /** API key */
          value?: string | null;
        } | null;
        request_timeout?: {
          value?: number | null;
        } | null;
        enterprise_api_version?: {
          value?: string | null;
        } | null;
        region?: {
          value?: string | null;
        } | null;
        cloud_access_key_id?: {
          value?: string | null;
        } | null;
        cloud_access_token?: {
          /** Cloud_Model_Hub: secret access key */
          value?: string | null;
        } | null;
        role_arn?: {
          value?: string | null;
        } | null;
        verify_tls?: {
          value?: boolean | null;
        } | null;
        ca_certificate?: {
          value?: string | null;
        } | null;
      };
      modelsettings?: {
        max_tokens?: {
          value?: number | null;
        } | null;
        response_variability?: {
          value?: number | null;
        } | null;
      };
      /** false = a draft; default true */
      is_saved?: boolean;
      /** false = a draft; default true */
      is_model_saved?: boolean;
    };
    reply: {
      status: "success" | "fail";
      message?: string;
      /** Only with status fail */
      error_code?: string;
      /** What a person can do about this code */
      remedy?: string;
      warnings?: Array<string>;
      success: boolean;
      /** The service in lower case */
      provider?: string;
      /** The kind of provider */
      service: "General_Chat" | "Enterprise_Cloud_Chat" | "Assistant_Family" | "Cloud_Model_Hub" | "Fast_Inference" | "Search_Vendor_Models" | "Local_Runtime" | "Platform_Hosted_Models";
      model?: string | null;
      /** Null when no answer came */
      http_status_code?: number | null;
      /** Seconds */
      response_time?: number;
      /** What the model said, at most 200 characters */
      response_content?: string;
      /** Seconds to wait, if the provider said so */
      retry_after?: number;
      /** refresh_models */
      models?: Array<string>;
      /** refresh_models */
      count?: number;
    };
  };
  /** Create a container connection, or change it with is_edit. */
  saveContainerConnection: {
    query?: {
      /** As is_edit of the body */
      is_edit?: boolean;
      /** Lead to another engine although containers run in the present one */
      force?: boolean;
      version?: number;
    };
    ifMatch?: number;
    body: {
      payload: {
        /** docker or kubernetes */
        container_type: "docker" | "kubernetes";
        /** Unique name, compared without regard to case. */
        connection_name: string;
        /** 'true' changes the connection of this name; never stored */
        is_edit?: string | null;
        /** Condition: the version that this change is based on. */
        version?: number | string;
        /** Docker daemon: unix:///path, tcp://host:port or http(s)://host[:port] */
        docker_url?: string | null;
        /** 'true' or 'false' (default): whether the application is told to serve https */
        container_enable_https?: string | null;
        /** Host at which the platform reaches containers */
        endpoint_hostname?: string | null;
        /** Host at which browsers reach containers */
        endpoint_hostname_external?: string | null;
        /** Docker network that containers join; it has to exist */
        docker_network?: string | null;
        /** Ingest endpoint of the Docker log driver: host[:port] or URL (default https, 8088) */
        docker_logging_endpoint_hostname?: string | null;
        /** cert-key, user-token, user-login, cloud-iam or service-account (kubernetes) */
        auth_mode?: string | null;
        /** Address of the cluster API */
        cluster_url?: string | null;
        /** CA certificates: PEM, base64 of PEM, or the path of a file in an allowed folder */
        cluster_ca?: string | null;
        /** Client certificate: PEM, base64 of PEM, or the path of a file in an allowed folder */
        client_cert?: string | null;
        /** User (user-login) */
        user_name?: string | null;
        /** Name of the cluster (cloud-iam) */
        cloud_cluster_name?: string | null;
        /** Access key id (cloud-iam); without keys the own role of the instance */
        cloud_access_key_id?: string | null;
        /** Region (cloud-iam) */
        cloud_region_name?: string | null;
        /** 'None' (default) or names of secrets, comma-separated */
        image_pull_secrets?: string | null;
        /** '1': the platform runs as a pod of the cluster; default '0' */
        in_cluster_mode?: string | null;
        /** Namespace; default 'default' */
        namespace?: string | null;
        /** Storage class of the volume for /srv */
        storage_class?: string | null;
        /** nodeport (default), loadbalancer or ingress */
        service_type?: string | null;
        /** Host of an ingress: * stands for <name>-<port>; {name}, {port} and {namespace} too */
        ingress_host_pattern?: string | null;
        /** JSON object in a text */
        ingress_annotations?: string | null;
        /** Host at which the platform reaches node ports */
        node_port_hostname_internal?: string | null;
        /** Host at which browsers reach node ports */
        node_port_hostname_external?: string | null;
        /** Whether containers export traces */
        obs_enabled?: string | null;
        /** OTLP endpoint */
        obs_otel_endpoint?: string | null;
        /** Service name of the traces */
        obs_otel_service_name?: string | null;
        /** Whether notebooks may search the platform */
        platform_access_enabled?: string | null;
        /** Host of the platform, as containers reach it */
        platform_access_host?: string | null;
        /** Management port of the platform */
        platform_access_port?: string | null;
        /** Whether notebooks may send events to the platform */
        platform_ingest_enabled?: string | null;
        /** Ingest endpoint, as containers reach it */
        platform_ingest_url?: string | null;
        /** Whether the certificate of a container has to name its host; default 'false' */
        endpoint_cert_check_hostname?: string | null;
        /** Certificates that containers may show: PEM, base64 of PEM, or the path of a file in an allowed folder */
        endpoint_cert_filename_or_path?: string | null;
        /** Token of the application; 64 random characters when omitted */
        api_token?: string | null;
        /** Hashed Jupyter password */
        jupyter_passwd?: string | null;
        /** Ingest token of the Docker log driver */
        docker_logging_platform_token?: string | null;
        /** Private key: PEM, base64 of PEM, or the path of a file in an allowed folder */
        client_key?: string | null;
        /** Bearer token (user-token) */
        user_token?: string | null;
        /** Password (user-login) */
        user_password?: string | null;
        /** Secret access key (cloud-iam) */
        cloud_secret_access_key?: string | null;
        /** Token (service-account) */
        service_account_token?: string | null;
        /** Token for the OTLP endpoint */
        obs_access_token?: string | null;
        /** Token for the platform */
        platform_access_token?: string | null;
        /** Token for the ingest endpoint */
        platform_ingest_token?: string | null;
      };
    };
    reply: {
      status: "success";
      message?: string;
      warnings?: Array<string>;
      updated_config: {
        /** docker or kubernetes */
        container_type: "docker" | "kubernetes";
        connection_name: string;
        /** Docker daemon: unix:///path, tcp://host:port or http(s)://host[:port] */
        docker_url?: string;
        /** 'true' or 'false' (default): whether the application is told to serve https */
        container_enable_https?: string;
        /** Host at which the platform reaches containers */
        endpoint_hostname?: string;
        /** Host at which browsers reach containers */
        endpoint_hostname_external?: string;
        /** Docker network that containers join; it has to exist */
        docker_network?: string;
        /** Ingest endpoint of the Docker log driver: host[:port] or URL (default https, 8088) */
        docker_logging_endpoint_hostname?: string;
        /** cert-key, user-token, user-login, cloud-iam or service-account (kubernetes) */
        auth_mode?: string;
        /** Address of the cluster API */
        cluster_url?: string;
        /** CA certificates: PEM, base64 of PEM, or the path of a file in an allowed folder */
        cluster_ca?: string;
        /** Client certificate: PEM, base64 of PEM, or the path of a file in an allowed folder */
        client_cert?: string;
        /** User (user-login) */
        user_name?: string;
        /** Name of the cluster (cloud-iam) */
        cloud_cluster_name?: string;
        /** Access key id (cloud-iam); without keys the own role of the instance */
        cloud_access_key_id?: string;
        /** Region (cloud-iam) */
        cloud_region_name?: string;
        /** 'None' (default) or names of secrets, comma-separated */
        image_pull_secrets?: string;
        /** '1': the platform runs as a pod of the cluster; default '0' */
        in_cluster_mode?: string;
        /** Namespace; default 'default' */
        namespace?: string;
        /** Storage class of the volume for /srv */
        storage_class?: string;
        /** nodeport (default), loadbalancer or ingress */
        service_type?: string;
        /** Host of an ingress: * stands for <name>-<port>; {name}, {port} and {namespace} too */
        ingress_host_pattern?: string;
        /** JSON object in a text */
        ingress_annotations?: string;
        /** Host at which the platform reaches node ports */
        node_port_hostname_internal?: string;
        /** Host at which browsers reach node ports */
        node_port_hostname_external?: string;
        /** Whether containers export traces */
        obs_enabled?: string;
        /** OTLP endpoint */
        obs_otel_endpoint?: string;
        /** Service name of the traces */
        obs_otel_service_name?: string;
        /** Whether notebooks may search the platform */
        platform_access_enabled?: string;
        /** Host of the platform, as containers reach it */
        platform_access_host?: string;
        /** Management port of the platform */
        platform_access_port?: string;
        /** Whether notebooks may send events to the platform */
        platform_ingest_enabled?: string;
        /** Ingest endpoint, as containers reach it */
        platform_ingest_url?: string;
        /** Whether the certificate of a container has to name its host; default 'false' */
        endpoint_cert_check_hostname?: string;
        /** Certificates that containers may show: PEM, base64 of PEM, or the path of a file in an allowed folder */
        endpoint_cert_filename_or_path?: string;
        /** Token of the application; 64 random characters when omitted; ***MASKED*** when one is stored */
        api_token?: string;
        /** Hashed Jupyter password; ***MASKED*** when one is stored */
        jupyter_passwd?: string;
        /** Ingest token of the Docker log driver; ***MASKED*** when one is stored */
        docker_logging_platform_token?: string;
        /** Private key: PEM, base64 of PEM, or the path of a file in an allowed folder; ***MASKED*** when one is stored */
        client_key?: string;
        /** Bearer token (user-token); ***MASKED*** when one is stored */
        user_token?: string;
        /** Password (user-login); ***MASKED*** when one is stored */
        user_password?: string;
        /** Secret access key (cloud-iam); ***MASKED*** when one is stored */
        cloud_secret_access_key?: string;
        /** Token (service-account); ***MASKED*** when one is stored */
        service_account_token?: string;
        /** Token for the OTLP endpoint; ***MASKED*** when one is stored */
        obs_access_token?: string;
        /** Token for the platform; ***MASKED*** when one is stored */
        platform_access_token?: string;
        /** Token for the ingest endpoint; ***MASKED*** when one is stored */
        platform_ingest_token?: string;
        version: number;
        /** When created, epoch seconds with a fraction */
        created_at: number;
        created_by: string;
        /** When last updated, epoch seconds with a fraction */
        last_updated_at: number;
        last_updated_by: string;
        last_test?: {
          status: "success" | "fail";
          error_code: string | null;
          /** When tested, epoch seconds with a fraction */
          tested_at: number;
          response_time_ms: number;
        };
      };
    };
  };
  /** Container connections of one type; with name= one of them. */
  listContainerConnections: {
    params: {
      /** docker or kubernetes */
      container_type: "docker" | "kubernetes";
    };
    query?: {
      /** Page size; 0 = all. Default 30. */
      count?: number;
      /** Entries to pass over. Default 0. */
      offset?: number;
      /** Default connection_name. */
      sort_key?: "connection_name" | "container_type" | "created_at" | "created_by" | "last_updated_at" | "last_updated_by" | "version";
      /** Default asc. */
      sort_dir?: "asc" | "desc";
      /** Case-insensitive part of name, title or description. */
      search?: string;
      /** Unique name, compared without regard to case. */
      name?: string;
    };
    reply: {
      status: "success";
      message?: string;
      warnings?: Array<string>;
      result?: Array<{
        /** docker or kubernetes */
        container_type: "docker" | "kubernetes";
        connection_name: string;
        /** Docker daemon: unix:///path, tcp://host:port or http(s)://host[:port] */
        docker_url?: string;
        /** 'true' or 'false' (default): whether the application is told to serve https */
        container_enable_https?: string;
        /** Host at which the platform reaches containers */
        endpoint_hostname?: string;
        /** Host at which browsers reach containers */
        endpoint_hostname_external?: string;
        /** Docker network that containers join; it has to exist */
        docker_network?: string;
        /** Ingest endpoint of the Docker log driver: host[:port] or URL (default https, 8088) */
        docker_logging_endpoint_hostname?: string;
        /** cert-key, user-token, user-login, cloud-iam or service-account (kubernetes) */
        auth_mode?: string;
        /** Address of the cluster API */
        cluster_url?: string;
        /** CA certificates: PEM, base64 of PEM, or the path of a file in an allowed folder */
        cluster_ca?: string;
        /** Client certificate: PEM, base64 of PEM, or the path of a file in an allowed folder */
        client_cert?: string;
        /** User (user-login) */
        user_name?: string;
        /** Name of the cluster (cloud-iam) */
        cloud_cluster_name?: string;
        /** Access key id (cloud-iam); without keys the own role of the instance */
        cloud_access_key_id?: string;
        /** Region (cloud-iam) */
        cloud_region_name?: string;
        /** 'None' (default) or names of secrets, comma-separated */
        image_pull_secrets?: string;
        /** '1': the platform runs as a pod of the cluster; default '0' */
        in_cluster_mode?: string;
        /** Namespace; default 'default' */
        namespace?: string;
        /** Storage class of the volume for /srv */
        storage_class?: string;
        /** nodeport (default), loadbalancer or ingress */
        service_type?: string;
        /** Host of an ingress: * stands for <name>-<port>; {name}, {port} and {namespace} too */
        ingress_host_pattern?: string;
        /** JSON object in a text */
        ingress_annotations?: string;
        /** Host at which the platform reaches node ports */
        node_port_hostname_internal?: string;
        /** Host at which browsers reach node ports */
        node_port_hostname_external?: string;
        /** Whether containers export traces */
        obs_enabled?: string;
        /** OTLP endpoint */
        obs_otel_endpoint?: string;
        /** Service name of the traces */
        obs_otel_service_name?: string;
        /** Whether notebooks may search the platform */
        platform_access_enabled?: string;
        /** Host of the platform, as containers reach it */
        platform_access_host?: string;
        /** Management port of the platform */
        platform_access_port?: string;
        /** Whether notebooks may send events to the platform */
        platform_ingest_enabled?: string;
        /** Ingest endpoint, as containers reach it */
        platform_ingest_url?: string;
        /** Whether the certificate of a container has to name its host; default 'false' */
        endpoint_cert_check_hostname?: string;
        /** Certificates that containers may show: PEM, base64 of PEM, or the path of a file in an allowed folder */
        endpoint_cert_filename_or_path?: string;
        /** Token of the application; 64 random characters when omitted; ***MASKED*** when one is stored */
        api_token?: string;
        /** Hashed Jupyter password; ***MASKED*** when one is stored */
        jupyter_passwd?: string;
        /** Ingest token of the Docker log driver; ***MASKED*** when one is stored */
        docker_logging_platform_token?: string;
        /** Private key: PEM, base64 of PEM, or the path of a file in an allowed folder; ***MASKED*** when one is stored */
        client_key?: string;
        /** Bearer token (user-token); ***MASKED*** when one is stored */
        user_token?: string;
        /** Password (user-login); ***MASKED*** when one is stored */
        user_password?: string;
        /** Secret access key (cloud-iam); ***MASKED*** when one is stored */
        cloud_secret_access_key?: string;
        /** Token (service-account); ***MASKED*** when one is stored */
        service_account_token?: string;
        /** Token for the OTLP endpoint; ***MASKED*** when one is stored */
        obs_access_token?: string;
        /** Token for the platform; ***MASKED*** when one is stored */
        platform_access_token?: string;
        /** Token for the ingest endpoint; ***MASKED*** when one is stored */
        platform_ingest_token?: string;
        version: number;
        /** When created, epoch seconds with a fraction */
        created_at: number;
        created_by: string;
        /** When last updated, epoch seconds with a fraction */
        last_updated_at: number;
        last_updated_by: string;
        last_test?: {
          status: "success" | "fail";
          error_code: string | null;
          /** When tested, epoch seconds with a fraction */
          tested_at: number;
          response_time_ms: number;
        };
      }>;
      pagination?: {
        offset: number;
        count: number;
        total: number;
        returned: number;
        has_more: boolean;
        next_offset: number | null;
      };
      config?: {
        /** docker or kubernetes */
        container_type: "docker" | "kubernetes";
        connection_name: string;
        /** Docker daemon: unix:///path, tcp://host:port or http(s)://host[:port] */
        docker_url?: string;
        /** 'true' or 'false' (default): whether the application is told to serve https */
        container_enable_https?: string;
        /** Host at which the platform reaches containers */
        endpoint_hostname?: string;
        /** Host at which browsers reach containers */
        endpoint_hostname_external?: string;
        /** Docker network that containers join; it has to exist */
        docker_network?: string;
        /** Ingest endpoint of the Docker log driver: host[:port] or URL (default https, 8088) */
        docker_logging_endpoint_hostname?: string;
        /** cert-key, user-token, user-login, cloud-iam or service-account (kubernetes) */
        auth_mode?: string;
        /** Address of the cluster API */
        cluster_url?: string;
        /** CA certificates: PEM, base64 of PEM, or the path of a file in an allowed folder */
        cluster_ca?: string;
        /** Client certificate: PEM, base64 of PEM, or the path of a file in an allowed folder */
        client_cert?: string;
        /** User (user-login) */
        user_name?: string;
        /** Name of the cluster (cloud-iam) */
        cloud_cluster_name?: string;
        /** Access key id (cloud-iam); without keys the own role of the instance */
        cloud_access_key_id?: string;
        /** Region (cloud-iam) */
        cloud_region_name?: string;
        /** 'None' (default) or names of secrets, comma-separated */
        image_pull_secrets?: string;
        /** '1': the platform runs as a pod of the cluster; default '0' */
        in_cluster_mode?: string;
        /** Namespace; default 'default' */
        namespace?: string;
        /** Storage class of the volume for /srv */
        storage_class?: string;
        /** nodeport (default), loadbalancer or ingress */
        service_type?: string;
        /** Host of an ingress: * stands for <name>-<port>; {name}, {port} and {namespace} too */
        ingress_host_pattern?: string;
        /** JSON object in a text */
        ingress_annotations?: string;
        /** Host at which the platform reaches node ports */
        node_port_hostname_internal?: string;
        /** Host at which browsers reach node ports */
        node_port_hostname_external?: string;
        /** Whether containers export traces */
        obs_enabled?: string;
        /** OTLP endpoint */
        obs_otel_endpoint?: string;
        /** Service name of the traces */
        obs_otel_service_name?: string;
        /** Whether notebooks may search the platform */
        platform_access_enabled?: string;
        /** Host of the platform, as containers reach it */
        platform_access_host?: string;
        /** Management port of the platform */
        platform_access_port?: string;
        /** Whether notebooks may send events to the platform */
        platform_ingest_enabled?: string;
        /** Ingest endpoint, as containers reach it */
        platform_ingest_url?: string;
        /** Whether the certificate of a container has to name its host; default 'false' */
        endpoint_cert_check_hostname?: string;
        /** Certificates that containers may show: PEM, base64 of PEM, or the path of a file in an allowed folder */
        endpoint_cert_filename_or_path?: string;
        /** Token of the application; 64 random characters when omitted; ***MASKED*** when one is stored */
        api_token?: string;
        /** Hashed Jupyter password; ***MASKED*** when one is stored */
        jupyter_passwd?: string;
        /** Ingest token of the Docker log driver; ***MASKED*** when one is stored */
        docker_logging_platform_token?: string;
        /** Private key: PEM, base64 of PEM, or the path of a file in an allowed folder; ***MASKED*** when one is stored */
        client_key?: string;
        /** Bearer token (user-token); ***MASKED*** when one is stored */
        user_token?: string;
        /** Password (user-login); ***MASKED*** when one is stored */
        user_password?: string;
        /** Secret access key (cloud-iam); ***MASKED*** when one is stored */
        cloud_secret_access_key?: string;
        /** Token (service-account); ***MASKED*** when one is stored */
        service_account_token?: string;
        /** Token for the OTLP endpoint; ***MASKED*** when one is stored */
        obs_access_token?: string;
        /** Token for the platform; ***MASKED*** when one is stored */
        platform_access_token?: string;
        /** Token for the ingest endpoint; ***MASKED*** when one is stored */
        platform_ingest_token?: string;
        version: number;
        /** When created, epoch seconds with a fraction */
        created_at: number;
        created_by: string;
        /** When last updated, epoch seconds with a fraction */
        last_updated_at: number;
        last_updated_by: string;
        last_test?: {
          status: "success" | "fail";
          error_code: string | null;
          /** When tested, epoch seconds with a fraction */
          tested_at: number;
          response_time_ms: number;
        };
      };
    };
  };
  /** One container connection. */
  getContainerConnection: {
    params: {
      /** docker or kubernetes */
      container_type: "docker" | "kubernetes";
      /** Unique name, compared without regard to case. */
      connection_name: string;
    };
    reply: {
      status: "success";
      message?: string;
      warnings?: Array<string>;
      config: {
        /** docker or kubernetes */
        container_type: "docker" | "kubernetes";
        connection_name: string;
        /** Docker daemon: unix:///path, tcp://host:port or http(s)://host[:port] */
        docker_url?: string;
        /** 'true' or 'false' (default): whether the application is told to serve https */
        container_enable_https?: string;
        /** Host at which the platform reaches containers */
        endpoint_hostname?: string;
        /** Host at which browsers reach containers */
        endpoint_hostname_external?: string;
        /** Docker network that containers join; it has to exist */
        docker_network?: string;
        /** Ingest endpoint of the Docker log driver: host[:port] or URL (default https, 8088) */
        docker_logging_endpoint_hostname?: string;
        /** cert-key, user-token, user-login, cloud-iam or service-account (kubernetes) */
        auth_mode?: string;
        /** Address of the cluster API */
        cluster_url?: string;
        /** CA certificates: PEM, base64 of PEM, or the path of a file in an allowed folder */
        cluster_ca?: string;
        /** Client certificate: PEM, base64 of PEM, or the path of a file in an allowed folder */
        client_cert?: string;
        /** User (user-login) */
        user_name?: string;
        /** Name of the cluster (cloud-iam) */
        cloud_cluster_name?: string;
        /** Access key id (cloud-iam); without keys the own role of the instance */
        cloud_access_key_id?: string;
        /** Region (cloud-iam) */
        cloud_region_name?: string;
        /** 'None' (default) or names of secrets, comma-separated */
        image_pull_secrets?: string;
        /** '1': the platform runs as a pod of the cluster; default '0' */
        in_cluster_mode?: string;
        /** Namespace; default 'default' */
        namespace?: string;
        /** Storage class of the volume for /srv */
        storage_class?: string;
        /** nodeport (default), loadbalancer or ingress */
        service_type?: string;
        /** Host of an ingress: * stands for <name>-<port>; {name}, {port} and {namespace} too */
        ingress_host_pattern?: string;
        /** JSON object in a text */
        ingress_annotations?: string;
        /** Host at which the platform reaches node ports */
        node_port_hostname_internal?: string;
        /** Host at which browsers reach node ports */
        node_port_hostname_external?: string;
        /** Whether containers export traces */
        obs_enabled?: string;
        /** OTLP endpoint */
        obs_otel_endpoint?: string;
        /** Service name of the traces */
        obs_otel_service_name?: string;
        /** Whether notebooks may search the platform */
        platform_access_enabled?: string;
        /** Host of the platform, as containers reach it */
        platform_access_host?: string;
        /** Management port of the platform */
        platform_access_port?: string;
        /** Whether notebooks may send events to the platform */
        platform_ingest_enabled?: string;
        /** Ingest endpoint, as containers reach it */
        platform_ingest_url?: string;
        /** Whether the certificate of a container has to name its host; default 'false' */
        endpoint_cert_check_hostname?: string;
        /** Certificates that containers may show: PEM, base64 of PEM, or the path of a file in an allowed folder */
        endpoint_cert_filename_or_path?: string;
        /** Token of the application; 64 random characters when omitted; ***MASKED*** when one is stored */
        api_token?: string;
        /** Hashed Jupyter password; ***MASKED*** when one is stored */
        jupyter_passwd?: string;
        /** Ingest token of the Docker log driver; ***MASKED*** when one is stored */
        docker_logging_platform_token?: string;
        /** Private key: PEM, base64 of PEM, or the path of a file in an allowed folder; ***MASKED*** when one is stored */
        client_key?: string;
        /** Bearer token (user-token); ***MASKED*** when one is stored */
        user_token?: string;
        /** Password (user-login); ***MASKED*** when one is stored */
        user_password?: string;
        /** Secret access key (cloud-iam); ***MASKED*** when one is stored */
        cloud_secret_access_key?: string;
        /** Token (service-account); ***MASKED*** when one is stored */
        service_account_token?: string;
        /** Token for the OTLP endpoint; ***MASKED*** when one is stored */
        obs_access_token?: string;
        /** Token for the platform; ***MASKED*** when one is stored */
        platform_access_token?: string;
        /** Token for the ingest endpoint; ***MASKED*** when one is stored */
        platform_ingest_token?: string;
        version: number;
        /** When created, epoch seconds with a fraction */
        created_at: number;
        created_by: string;
        /** When last updated, epoch seconds with a fraction */
        last_updated_at: number;
        last_updated_by: string;
        last_test?: {
          status: "success" | "fail";
          error_code: string | null;
          /** When tested, epoch seconds with a fraction */
          tested_at: number;
          response_time_ms: number;
        };
      };
    };
  };
  /** Delete a container connection with its secrets. */
  deleteContainerConnection: {
    params: {
      /** docker or kubernetes */
      container_type: "docker" | "kubernetes";
      /** Unique name, compared without regard to case. */
      connection_name: string;
    };
    query?: {
      version?: number;
    };
    ifMatch?: number;
    reply: {
      status: "success";
      message?: string;
      warnings?: Array<string>;
      /** docker or kubernetes */
      container_type: "docker" | "kubernetes";
      connection_name: string;
    };
  };
  /** Verify a container connection with its engine, then save it. */
  testContainerConnection: {
    query?: {
      /** As is_edit of the body */
      is_edit?: boolean;
      /** Lead to another engine although containers run in the present one */
      force?: boolean;
      version?: number;
    };
    ifMatch?: number;
    body: {
      payload: {
        /** docker or kubernetes */
        container_type: "docker" | "kubernetes";
        /** Unique name, compared without regard to case. */
        connection_name: string;
        /** 'true' changes the connection of this name; never stored */
        is_edit?: string | null;
        /** Condition: the version that this change is based on. */
        version?: number | string;
        /** Docker daemon: unix:///path, tcp://host:port or http(s)://host[:port] */
        docker_url?: string | null;
        /** 'true' or 'false' (default): whether the application is told to serve https */
        container_enable_https?: string | null;
        /** Host at which the platform reaches containers */
        endpoint_hostname?: string | null;
        /** Host at which browsers reach containers */
        endpoint_hostname_external?: string | null;
        /** Docker network that containers join; it has to exist */
        docker_network?: string | null;
        /** Ingest endpoint of the Docker log driver: host[:port] or URL (default https, 8088) */
        docker_logging_endpoint_hostname?: string | null;
        /** cert-key, user-token, user-login, cloud-iam or service-account (kubernetes) */
        auth_mode?: string | null;
        /** Address of the cluster API */
        cluster_url?: string | null;
        /** CA certificates: PEM, base64 of PEM, or the path of a file in an allowed folder */
        cluster_ca?: string | null;
        /** Client certificate: PEM, base64 of PEM, or the path of a file in an allowed folder */
        client_cert?: string | null;
        /** User (user-login) */
        user_name?: string | null;
        /** Name of the cluster (cloud-iam) */
        cloud_cluster_name?: string | null;
        /** Access key id (cloud-iam); without keys the own role of the instance */
        cloud_access_key_id?: string | null;
        /** Region (cloud-iam) */
        cloud_region_name?: string | null;
        /** 'None' (default) or names of secrets, comma-separated */
        image_pull_secrets?: string | null;
        /** '1': the platform runs as a pod of the cluster; default '0' */
        in_cluster_mode?: string | null;
        /** Namespace; default 'default' */
        namespace?: string | null;
        /** Storage class of the volume for /srv */
        storage_class?: string | null;
        /** nodeport (default), loadbalancer or ingress */
        service_type?: string | null;
        /** Host of an ingress: * stands for <name>-<port>; {name}, {port} and {namespace} too */
        ingress_host_pattern?: string | null;
        /** JSON object in a text */
        ingress_annotations?: string | null;
        /** Host at which the platform reaches node ports */
        node_port_hostname_internal?: string | null;
        /** Host at which browsers reach node ports */
        node_port_hostname_external?: string | null;
        /** Whether containers export traces */
        obs_enabled?: string | null;
        /** OTLP endpoint */
        obs_otel_endpoint?: string | null;
        /** Service name of the traces */
        obs_otel_service_name?: string | null;
        /** Whether notebooks may search the platform */
        platform_access_enabled?: string | null;
        /** Host of the platform, as containers reach it */
        platform_access_host?: string | null;
        /** Management port of the platform */
        platform_access_port?: string | null;
        /** Whether notebooks may send events to the platform */
        platform_ingest_enabled?: string | null;
        /** Ingest endpoint, as containers reach it */
        platform_ingest_url?: string | null;
        /** Whether the certificate of a container has to name its host; default 'false' */
        endpoint_cert_check_hostname?: string | null;
        /** Certificates that containers may show: PEM, base64 of PEM, or the path of a file in an allowed folder */
        endpoint_cert_filename_or_path?: string | null;
        /** Token of the application; 64 random characters when omitted */
        api_token?: string | null;
        /** Hashed Jupyter password */
        jupyter_passwd?: string | null;
        /** Ingest token of the Docker log driver */
        docker_logging_platform_token?: string | null;
        /** Private key: PEM, base64 of PEM, or the path of a file in an allowed folder */
        client_key?: string | null;
        /** Bearer token (user-token) */
        user_token?: string | null;
        /** Password (user-login) */
        user_password?: string | null;
        /** Secret access key (cloud-iam) */
        cloud_secret_access_key?: string | null;
        /** Token (service-account) */
        service_account_token?: string | null;
        /** Token for the OTLP endpoint */
        obs_access_token?: string | null;
        /** Token for the platform */
        platform_access_token?: string | null;
        /** Token for the ingest endpoint */
        platform_ingest_token?: string | null;
      };
    };
    reply: {
      status: "success";
      message?: string;
      warnings?: Array<string>;
      updated_config: {
        /** docker or kubernetes */
        container_type: "docker" | "kubernetes";
        connection_name: string;
        /** Docker daemon: unix:///path, tcp://host:port or http(s)://host[:port] */
        docker_url?: string;
        /** 'true' or 'false' (default): whether the application is told to serve https */
        container_enable_https?: string;
        /** Host at which the platform reaches containers */
        endpoint_hostname?: string;
        /** Host at which browsers reach containers */
        endpoint_hostname_external?: string;
        /** Docker network that containers join; it has to exist */
        docker_network?: string;
        /** Ingest endpoint of the Docker log driver: host[:port] or URL (default https, 8088) */
        docker_logging_endpoint_hostname?: string;
        /** cert-key, user-token, user-login, cloud-iam or service-account (kubernetes) */
        auth_mode?: string;
        /** Address of the cluster API */
        cluster_url?: string;
        /** CA certificates: PEM, base64 of PEM, or the path of a file in an allowed folder */
        cluster_ca?: string;
        /** Client certificate: PEM, base64 of PEM, or the path of a file in an allowed folder */
        client_cert?: string;
        /** User (user-login) */
        user_name?: string;
        /** Name of the cluster (cloud-iam) */
        cloud_cluster_name?: string;
        /** Access key id (cloud-iam); without keys the own role of the instance */
        cloud_access_key_id?: string;
        /** Region (cloud-iam) */
        cloud_region_name?: string;
        /** 'None' (default) or names of secrets, comma-separated */
        image_pull_secrets?: string;
        /** '1': the platform runs as a pod of the cluster; default '0' */
        in_cluster_mode?: string;
        /** Namespace; default 'default' */
        namespace?: string;
        /** Storage class of the volume for /srv */
        storage_class?: string;
        /** nodeport (default), loadbalancer or ingress */
        service_type?: string;
        /** Host of an ingress: * stands for <name>-<port>; {name}, {port} and {namespace} too */
        ingress_host_pattern?: string;
        /** JSON object in a text */
        ingress_annotations?: string;
        /** Host at which the platform reaches node ports */
        node_port_hostname_internal?: string;
        /** Host at which browsers reach node ports */
        node_port_hostname_external?: string;
        /** Whether containers export traces */
        obs_enabled?: string;
        /** OTLP endpoint */
        obs_otel_endpoint?: string;
        /** Service name of the traces */
        obs_otel_service_name?: string;
        /** Whether notebooks may search the platform */
        platform_access_enabled?: string;
        /** Host of the platform, as containers reach it */
        platform_access_host?: string;
        /** Management port of the platform */
        platform_access_port?: string;
        /** Whether notebooks may send events to the platform */
        platform_ingest_enabled?: string;
        /** Ingest endpoint, as containers reach it */
        platform_ingest_url?: string;
        /** Whether the certificate of a container has to name its host; default 'false' */
        endpoint_cert_check_hostname?: string;
        /** Certificates that containers may show: PEM, base64 of PEM, or the path of a file in an allowed folder */
        endpoint_cert_filename_or_path?: string;
        /** Token of the application; 64 random characters when omitted; ***MASKED*** when one is stored */
        api_token?: string;
        /** Hashed Jupyter password; ***MASKED*** when one is stored */
        jupyter_passwd?: string;
        /** Ingest token of the Docker log driver; ***MASKED*** when one is stored */
        docker_logging_platform_token?: string;
        /** Private key: PEM, base64 of PEM, or the path of a file in an allowed folder; ***MASKED*** when one is stored */
        client_key?: string;
        /** Bearer token (user-token); ***MASKED*** when one is stored */
        user_token?: string;
        /** Password (user-login); ***MASKED*** when one is stored */
        user_password?: string;
        /** Secret access key (cloud-iam); ***MASKED*** when one is stored */
        cloud_secret_access_key?: string;
        /** Token (service-account); ***MASKED*** when one is stored */
        service_account_token?: string;
        /** Token for the OTLP endpoint; ***MASKED*** when one is stored */
        obs_access_token?: string;
        /** Token for the platform; ***MASKED*** when one is stored */
        platform_access_token?: string;
        /** Token for the ingest endpoint; ***MASKED*** when one is stored */
        platform_ingest_token?: string;
        version: number;
        /** When created, epoch seconds with a fraction */
        created_at: number;
        created_by: string;
        /** When last updated, epoch seconds with a fraction */
        last_updated_at: number;
        last_updated_by: string;
        last_test?: {
          status: "success" | "fail";
          error_code: string | null;
          /** When tested, epoch seconds with a fraction */
          tested_at: number;
          response_time_ms: number;
        };
      };
    };
  };
  /** The last test of each container connection. */
  listTestedConnections: {
    query?: {
      /** Page size; 0 = all. Default 30. */
      count?: number;
      /** Entries to pass over. Default 0. */
      offset?: number;
      /** Default connection_name. */
      sort_key?: "connection_name" | "container_type" | "created_at" | "created_by" | "last_updated_at" | "last_updated_by" | "version";
      /** Default asc. */
      sort_dir?: "asc" | "desc";
      /** Case-insensitive part of name, title or description. */
      search?: string;
    };
    reply: {
      status: "success";
      message?: string;
      warnings?: Array<string>;
      result: Array<{
        /** docker or kubernetes */
        container_type: "docker" | "kubernetes";
        connection_name: string;
        last_test: {
          status: "success" | "fail";
          error_code: string | null;
          /** When tested, epoch seconds with a fraction */
          tested_at: number;
          response_time_ms: number;
        } | null;
      }>;
      pagination: {
        offset: number;
        count: number;
        total: number;
        returned: number;
        has_more: boolean;
        next_offset: number | null;
      };
    };
  };
  /** Runtime records, after a look at every engine and every application; with model= one of them. */
  getContainerData: {
    query?: {
      /** Name of the model */
      model?: string;
    };
    reply: {
      status: "success";
      message?: string;
      warnings?: Array<string>;
      config: Record<string, {
        id: string;
        mode: string;
        cluster: string;
        api_url: string;
        api_url_external: string;
        jupyter_url: string;
        tensorboard_url: string;
        mlflow_url: string;
        spark_url: string;
        status: string;
        min_cpu: string;
        max_cpu: string;
        min_memory: string;
        max_memory: string;
        min_replicas: string;
        max_replicas: string;
        cpu_threshold_percent: string;
        hpa_enabled: string;
        status_reason: string;
        status_message: string;
        status_since: string;
        probe_error: string;
        restarts: string;
        image: string;
        image_reference: string;
        runtime: string;
        connection_name: string;
        container_name: string;
      }>;
    };
  };
  /** Containers that have a log; with model= the log of one. */
  readContainerLogs: {
    query?: {
      /** Name of the model */
      model?: string;
      tail?: string;
      since?: string;
      previous?: string;
    };
    reply: {
      status: "success";
      message?: string;
      warnings?: Array<string>;
      container_logs?: {
        entries: Array<{
          /** UTC with milliseconds, from the engine's own timestamp */
          _time: string;
          log: string;
        }>;
      };
      result?: Array<{
        model: string;
        id: string;
        cluster: string;
        status: string;
      }>;
    };
  };
  /** Log of a container, merged over its replicas; while nothing has run, what the engine did to start it. */
  getContainerLogs: {
    body: {
      payload: {
        /** Name of the model */
        model: string;
        /** 1 to 10000 lines over all replicas, default 1000 */
        tail?: string;
        /** ISO 8601 time (inclusive), or whole seconds back */
        since?: string;
        /** 'true': the instance before a crash */
        previous?: string;
      };
    };
    reply: {
      status: "success";
      message?: string;
      warnings?: Array<string>;
      container_logs: {
        entries: Array<{
          /** UTC with milliseconds, from the engine's own timestamp */
          _time: string;
          log: string;
        }>;
      };
    };
  };
  /** Start a container or a deployment of a model. */
  startContainer: {
    body: {
      payload: {
        /** Key of the image catalog */
        image: string;
        /** Name of the model */
        model: string;
        /** Where it runs (default docker) */
        cluster?: "" | "docker" | "kubernetes";
        /** Needed when the type has several connections */
        connection_name?: string;
        /** DEV: API and tools; PROD: the API alone (default DEV) */
        mode?: "" | "DEV" | "PROD";
        /** As far as the image allows it (default None) */
        runtime?: "" | "None" | "nvidia";
        /** Scale by CPU use; for kubernetes only (default 0) */
        hpa_enabled?: "" | "0" | "1" | "true" | "false";
        /** Thousandths of a CPU, such as 500m (default 500m) */
        min_cpu?: string;
        /** Thousandths of a CPU; not less than min_cpu (default 1000m) */
        max_cpu?: string;
        /** Memory, such as 512Mi or 4Gi (default 1Gi) */
        min_memory?: string;
        /** Memory; not less than min_memory (default 4Gi) */
        max_memory?: string;
        /** 1 to 100 (default 1) */
        min_replicas?: string;
        /** 1 to 100, not less than min_replicas; needed with hpa_enabled (default 1) */
        max_replicas?: string;
        /** 1 to 100; needed with hpa_enabled */
        cpu_threshold_percent?: string;
      };
    };
    reply: {
      status: "success";
      message?: string;
      warnings?: Array<string>;
      updated_config: {
        id: string;
        api_url: string;
        api_url_external: string;
        jupyter_url: string;
        tensorboard_url: string;
        mlflow_url: string;
        spark_url: string;
        status: string;
        status_reason: string;
        status_message: string;
        cluster: string;
        mode: string;
        model: string;
        connection_name: string;
        container_name: string;
      };
    };
  };
  /** What a start can choose from. */
  getStartForm: {
    reply: {
      status: "success";
      message?: string;
      warnings?: Array<string>;
      /** Image key -> display text and image reference */
      docker_images: Record<string, {
        label: string;
        image: string;
      }>;
      clusters: Array<string>;
      connections: Array<{
        /** docker or kubernetes */
        container_type: "docker" | "kubernetes";
        connection_name: string;
      }>;
      runtimes: Array<string>;
      modes: Array<string>;
      defaults: Record<string, string>;
    };
  };
  /** Stop a container or delete a deployment, and clear its record. */
  deleteContainer: {
    params: {
      /** Name of the model */
      model_name: string;
    };
    reply: {
      status: "success";
      message?: string;
      warnings?: Array<string>;
      model: string;
      cluster: string;
      previous_status: string;
    };
  };
  /** Stop a container or delete a deployment, and clear its record. */
  stopContainer: {
    body: {
      payload: {
        /** Name of the model */
        model: string;
      };
    };
    reply: {
      status: "success";
      message?: string;
      warnings?: Array<string>;
      model: string;
      cluster: string;
      previous_status: string;
    };
  };
  /** The image catalog. */
  getImageCatalog: {
    reply: {
      status: "success";
      message?: string;
      warnings?: Array<string>;
      /** Image key -> display text and image reference */
      docker_images: Record<string, {
        label: string;
        image: string;
      }>;
    };
  };
  /** Agents the caller may read; with name= one of them. */
  listAgents: {
    query?: {
      /** Page size; 0 = all. Default 30. */
      count?: number;
      /** Entries to pass over. Default 0. */
      offset?: number;
      /** Default name. */
      sort_key?: "name" | "description" | "state" | "runtime_type" | "created_at" | "created_by" | "last_updated_at" | "last_updated_by" | "version";
      /** Default asc. */
      sort_dir?: "asc" | "desc";
      /** Case-insensitive part of name, title or description. */
      search?: string;
      /** Unique name, compared without regard to case; also the name of the runtime. */
      name?: string;
    };
    reply: {
      status: "success";
      message?: string;
      warnings?: Array<string>;
      name?: string;
      description?: string;
      is_enabled?: boolean;
      /** The cloud service that runs the agent */
      runtime_type?: "CLOUD_AGENT_CORE";
      state?: "Creating" | "Available" | "Failed" | "Deleting" | "Delete Failed";
      /** Why it is in this state, or the last trouble */
      state_reason?: string;
      /** The saved LLM configuration that the agent thinks with */
      llm?: {
        service: string;
        connection_name: string;
        model: string;
        max_tokens?: number;
        response_variability?: number;
      };
      system_prompt?: string;
      task_prompt?: string;
      mcps?: Array<{
        name: string;
        tools: Array<string>;
      }>;
      knowledge_bases?: Array<string>;
      agent_timeout?: number;
      acl?: {
        owner: string;
        sharing: "user" | "app" | "global";
        perms: {
          read: Array<string>;
          write: Array<string>;
        };
      };
      versions?: Array<{
        version: number;
        state: "Creating" | "Available" | "Failed" | "Deleting" | "Delete Failed";
        /** The saved LLM configuration that the agent thinks with */
        llm?: {
          service: string;
          connection_name: string;
          model: string;
          max_tokens?: number;
          response_variability?: number;
        };
        system_prompt: string;
        task_prompt: string;
        tools: {
          mcps: Array<{
            name: string;
            tools: Array<string>;
          }>;
          knowledge_bases: Array<string>;
        };
        agent_timeout: number;
        runtime_params: {
          runtime_id: string | null;
          runtime_arn?: string;
          runtime_version?: string;
        };
      }>;
      tracking?: {
        /** The search that follows the action */
        job_id: string | null;
        action: "create" | "delete";
        /** epoch seconds with a fraction */
        started_at: number;
        last_polled_at: number | null;
        /** Polls of the cloud since it started */
        attempts: number;
      };
      version?: number;
      /** When created, epoch seconds with a fraction */
      created_at?: number;
      created_by?: string;
      /** When last updated, epoch seconds with a fraction */
      last_updated_at?: number;
      last_updated_by?: string;
      result?: Array<{
        name: string;
        description: string;
        is_enabled: boolean;
        /** The cloud service that runs the agent */
        runtime_type: "CLOUD_AGENT_CORE";
        state: "Creating" | "Available" | "Failed" | "Deleting" | "Delete Failed";
        /** Why it is in this state, or the last trouble */
        state_reason?: string;
        /** The saved LLM configuration that the agent thinks with */
        llm?: {
          service: string;
          connection_name: string;
          model: string;
          max_tokens?: number;
          response_variability?: number;
        };
        system_prompt: string;
        task_prompt: string;
        mcps: Array<{
          name: string;
          tools: Array<string>;
        }>;
        knowledge_bases: Array<string>;
        agent_timeout: number;
        acl: {
          owner: string;
          sharing: "user" | "app" | "global";
          perms: {
            read: Array<string>;
            write: Array<string>;
          };
        };
        versions: Array<{
          version: number;
          state: "Creating" | "Available" | "Failed" | "Deleting" | "Delete Failed";
          /** The saved LLM configuration that the agent thinks with */
          llm?: {
            service: string;
            connection_name: string;
            model: string;
            max_tokens?: number;
            response_variability?: number;
          };
          system_prompt: string;
          task_prompt: string;
          tools: {
            mcps: Array<{
              name: string;
              tools: Array<string>;
            }>;
            knowledge_bases: Array<string>;
          };
          agent_timeout: number;
          runtime_params: {
            runtime_id: string | null;
            runtime_arn?: string;
            runtime_version?: string;
          };
        }>;
        tracking: {
          /** The search that follows the action */
          job_id: string | null;
          action: "create" | "delete";
          /** epoch seconds with a fraction */
          started_at: number;
          last_polled_at: number | null;
          /** Polls of the cloud since it started */
          attempts: number;
        };
        version: number;
        /** When created, epoch seconds with a fraction */
        created_at: number;
        created_by: string;
        /** When last updated, epoch seconds with a fraction */
        last_updated_at: number;
        last_updated_by: string;
      }>;
      pagination?: {
        offset: number;
        count: number;
        total: number;
        returned: number;
        has_more: boolean;
        next_offset: number | null;
      };
      config?: {
        name: string;
        description: string;
        is_enabled: boolean;
        /** The cloud service that runs the agent */
        runtime_type: "CLOUD_AGENT_CORE";
        state: "Creating" | "Available" | "Failed" | "Deleting" | "Delete Failed";
        /** Why it is in this state, or the last trouble */
        state_reason?: string;
        /** The saved LLM configuration that the agent thinks with */
        llm?: {
          service: string;
          connection_name: string;
          model: string;
          max_tokens?: number;
          response_variability?: number;
        };
        system_prompt: string;
        task_prompt: string;
        mcps: Array<{
          name: string;
          tools: Array<string>;
        }>;
        knowledge_bases: Array<string>;
        agent_timeout: number;
        acl: {
          owner: string;
          sharing: "user" | "app" | "global";
          perms: {
            read: Array<string>;
            write: Array<string>;
          };
        };
        versions: Array<{
          version: number;
          state: "Creating" | "Available" | "Failed" | "Deleting" | "Delete Failed";
          /** The saved LLM configuration that the agent thinks with */
          llm?: {
            service: string;
            connection_name: string;
            model: string;
            max_tokens?: number;
            response_variability?: number;
          };
          system_prompt: string;
          task_prompt: string;
          tools: {
            mcps: Array<{
              name: string;
              tools: Array<string>;
            }>;
            knowledge_bases: Array<string>;
          };
          agent_timeout: number;
          runtime_params: {
            runtime_id: string | null;
            runtime_arn?: string;
            runtime_version?: string;
          };
        }>;
        tracking: {
          /** The search that follows the action */
          job_id: string | null;
          action: "create" | "delete";
          /** epoch seconds with a fraction */
          started_at: number;
          last_polled_at: number | null;
          /** Polls of the cloud since it started */
          attempts: number;
        };
        version: number;
        /** When created, epoch seconds with a fraction */
        created_at: number;
        created_by: string;
        /** When last updated, epoch seconds with a fraction */
        last_updated_at: number;
        last_updated_by: string;
      };
    };
  };
  /** Create an agent and order its runtime; a search follows the creation. */
  createAgent: {
    body: {
      /** Unique name, compared without regard to case; also the name of the runtime. */
      name: string;
      description?: string | null;
      /** The cloud service that runs the agent */
      runtime_type?: "CLOUD_AGENT_CORE";
      system_prompt?: string | null;
      task_prompt?: string | null;
      llm?: {
        service: string;
        connection_name: string;
        model: string;
        max_tokens?: number;
        response_variability?: number;
      } | null;
      mcps?: Array<{
        /** Unique name, compared without regard to case. */
        name: string;
        /** Names of tools; none = every tool that the connection allows */
        tools?: Array<string>;
      }> | null;
      knowledge_bases?: Array<string> | null;
      /** Seconds that one run may take. Default 450. */
      agent_timeout?: number;
      /** Default true */
      is_enabled?: boolean;
      /** Who may read and write the record; `*` = everyone. Default: the creator alone. */
      acl?: {
        owner?: string;
        sharing?: "user" | "app" | "global";
        perms?: {
          /** Existing roles that may read, or * */
          read?: Array<string>;
          /** Existing roles that may read and write, or * */
          write?: Array<string>;
        };
      };
    };
    reply: {
      status: "success";
      message?: string;
      warnings?: Array<string>;
      agent_name: string;
      /** The cloud service that runs the agent */
      runtime_type: "CLOUD_AGENT_CORE";
      state: "Creating" | "Available" | "Failed" | "Deleting" | "Delete Failed";
      /** The search that follows it; null: none was started */
      tracking_job_id: string | null;
    };
  };
  /** Change an agent: name and any subset of its fields; in force from its next invocation. */
  updateAgent: {
    query?: {
      version?: number;
    };
    ifMatch?: number;
    body: {
      /** Unique name, compared without regard to case; also the name of the runtime. */
      name: string;
      description?: string | null;
      /** The cloud service that runs the agent */
      runtime_type?: "CLOUD_AGENT_CORE";
      system_prompt?: string | null;
      task_prompt?: string | null;
      llm?: {
        service: string;
        connection_name: string;
        model: string;
        max_tokens?: number;
        response_variability?: number;
      } | null;
      mcps?: Array<{
        /** Unique name, compared without regard to case. */
        name: string;
        /** Names of tools; none = every tool that the connection allows */
        tools?: Array<string>;
      }> | null;
      knowledge_bases?: Array<string> | null;
      /** Seconds that one run may take. Default 450. */
      agent_timeout?: number;
      /** Default true */
      is_enabled?: boolean;
      /** Who may read and write the record; `*` = everyone. Default: the creator alone. */
      acl?: {
        owner?: string;
        sharing?: "user" | "app" | "global";
        perms?: {
          /** Existing roles that may read, or * */
          read?: Array<string>;
          /** Existing roles that may read and write, or * */
          write?: Array<string>;
        };
      };
      /** Condition: the version that this change is based on. */
      version?: number;
    };
    reply: {
      status: "success";
      message?: string;
      warnings?: Array<string>;
      config: {
        name: string;
        description: string;
        is_enabled: boolean;
        /** The cloud service that runs the agent */
        runtime_type: "CLOUD_AGENT_CORE";
        state: "Creating" | "Available" | "Failed" | "Deleting" | "Delete Failed";
        /** Why it is in this state, or the last trouble */
        state_reason?: string;
        /** The saved LLM configuration that the agent thinks with */
        llm?: {
          service: string;
          connection_name: string;
          model: string;
          max_tokens?: number;
          response_variability?: number;
        };
        system_prompt: string;
        task_prompt: string;
        mcps: Array<{
          name: string;
          tools: Array<string>;
        }>;
        knowledge_bases: Array<string>;
        agent_timeout: number;
        acl: {
          owner: string;
          sharing: "user" | "app" | "global";
          perms: {
            read: Array<string>;
            write: Array<string>;
          };
        };
        versions: Array<{
          version: number;
          state: "Creating" | "Available" | "Failed" | "Deleting" | "Delete Failed";
          /** The saved LLM configuration that the agent thinks with */
          llm?: {
            service: string;
            connection_name: string;
            model: string;
            max_tokens?: number;
            response_variability?: number;
          };
          system_prompt: string;
          task_prompt: string;
          tools: {
            mcps: Array<{
              name: string;
              tools: Array<string>;
            }>;
            knowledge_bases: Array<string>;
          };
          agent_timeout: number;
          runtime_params: {
            runtime_id: string | null;
            runtime_arn?: string;
            runtime_version?: string;
          };
        }>;
        tracking: {
          /** The search that follows the action */
          job_id: string | null;
          action: "create" | "delete";
          /** epoch seconds with a fraction */
          started_at: number;
          last_polled_at: number | null;
          /** Polls of the cloud since it started */
          attempts: number;
        };
        version: number;
        /** When created, epoch seconds with a fraction */
        created_at: number;
        created_by: string;
        /** When last updated, epoch seconds with a fraction */
        last_updated_at: number;
        last_updated_by: string;
      };
    };
  };
  /** One agent: its keys at top level and under config. */
  getAgent: {
    params: {
      /** Unique name, compared without regard to case; also the name of the runtime. */
      agent_name: string;
    };
    reply: {
      status: "success";
      message?: string;
      warnings?: Array<string>;
      name: string;
      description: string;
      is_enabled: boolean;
      /** The cloud service that runs the agent */
      runtime_type: "CLOUD_AGENT_CORE";
      state: "Creating" | "Available" | "Failed" | "Deleting" | "Delete Failed";
      /** Why it is in this state, or the last trouble */
      state_reason?: string;
      /** The saved LLM configuration that the agent thinks with */
      llm?: {
        service: string;
        connection_name: string;
        model: string;
        max_tokens?: number;
        response_variability?: number;
      };
      system_prompt: string;
      task_prompt: string;
      mcps: Array<{
        name: string;
        tools: Array<string>;
      }>;
      knowledge_bases: Array<string>;
      agent_timeout: number;
      acl: {
        owner: string;
        sharing: "user" | "app" | "global";
        perms: {
          read: Array<string>;
          write: Array<string>;
        };
      };
      versions: Array<{
        version: number;
        state: "Creating" | "Available" | "Failed" | "Deleting" | "Delete Failed";
        /** The saved LLM configuration that the agent thinks with */
        llm?: {
          service: string;
          connection_name: string;
          model: string;
          max_tokens?: number;
          response_variability?: number;
        };
        system_prompt: string;
        task_prompt: string;
        tools: {
          mcps: Array<{
            name: string;
            tools: Array<string>;
          }>;
          knowledge_bases: Array<string>;
        };
        agent_timeout: number;
        runtime_params: {
          runtime_id: string | null;
          runtime_arn?: string;
          runtime_version?: string;
        };
      }>;
      tracking: {
        /** The search that follows the action */
        job_id: string | null;
        action: "create" | "delete";
        /** epoch seconds with a fraction */
        started_at: number;
        last_polled_at: number | null;
        /** Polls of the cloud since it started */
        attempts: number;
      };
      version: number;
      /** When created, epoch seconds with a fraction */
      created_at: number;
      created_by: string;
      /** When last updated, epoch seconds with a fraction */
      last_updated_at: number;
      last_updated_by: string;
      config: {
        name: string;
        description: string;
        is_enabled: boolean;
        /** The cloud service that runs the agent */
        runtime_type: "CLOUD_AGENT_CORE";
        state: "Creating" | "Available" | "Failed" | "Deleting" | "Delete Failed";
        /** Why it is in this state, or the last trouble */
        state_reason?: string;
        /** The saved LLM configuration that the agent thinks with */
        llm?: {
          service: string;
          connection_name: string;
          model: string;
          max_tokens?: number;
          response_variability?: number;
        };
        system_prompt: string;
        task_prompt: string;
        mcps: Array<{
          name: string;
          tools: Array<string>;
        }>;
        knowledge_bases: Array<string>;
        agent_timeout: number;
        acl: {
          owner: string;
          sharing: "user" | "app" | "global";
          perms: {
            read: Array<string>;
            write: Array<string>;
          };
        };
        versions: Array<{
          version: number;
          state: "Creating" | "Available" | "Failed" | "Deleting" | "Delete Failed";
          /** The saved LLM configuration that the agent thinks with */
          llm?: {
            service: string;
            connection_name: string;
            model: string;
            max_tokens?: number;
            response_variability?: number;
          };
          system_prompt: string;
          task_prompt: string;
          tools: {
            mcps: Array<{
              name: string;
              tools: Array<string>;
            }>;
            knowledge_bases: Array<string>;
          };
          agent_timeout: number;
          runtime_params: {
            runtime_id: string | null;
            runtime_arn?: string;
            runtime_version?: string;
          };
        }>;
        tracking: {
          /** The search that follows the action */
          job_id: string | null;
          action: "create" | "delete";
          /** epoch seconds with a fraction */
          started_at: number;
          last_polled_at: number | null;
          /** Polls of the cloud since it started */
          attempts: number;
        };
        version: number;
        /** When created, epoch seconds with a fraction */
        created_at: number;
        created_by: string;
        /** When last updated, epoch seconds with a fraction */
        last_updated_at: number;
        last_updated_by: string;
      };
    };
  };
  /** Delete an agent with its runtime; a search follows the deletion. */
  deleteAgent: {
    params: {
      /** Unique name, compared without regard to case; also the name of the runtime. */
      agent_name: string;
    };
    query?: {
      version?: number;
    };
    ifMatch?: number;
    reply: {
      status: "success";
      message?: string;
      warnings?: Array<string>;
      agent_name: string;
      state: "Creating" | "Available" | "Failed" | "Deleting" | "Delete Failed" | "Deleted";
      agent_status: "DELETING";
      /** The search that follows it; null: none was started */
      tracking_job_id: string | null;
    };
  };
  /** Order the runtime of an agent whose creation failed once more. */
  retryAgent: {
    params: {
      /** Unique name, compared without regard to case; also the name of the runtime. */
      agent_name: string;
    };
    query?: {
      version?: number;
    };
    ifMatch?: number;
    reply: {
      status: "success";
      message?: string;
      warnings?: Array<string>;
      agent_name: string;
      /** The cloud service that runs the agent */
      runtime_type: "CLOUD_AGENT_CORE";
      state: "Creating" | "Available" | "Failed" | "Deleting" | "Delete Failed";
      /** The search that follows it; null: none was started */
      tracking_job_id: string | null;
    };
  };
  /** One step of following a creation or deletion: asks the cloud, unless that was just done, and writes what it learns. */
  followAgent: {
    params: {
      /** Unique name, compared without regard to case; also the name of the runtime. */
      agent_name: string;
    };
    body: {
      action: "create" | "delete";
      /** Of a monitor that looks again and again: its longest wait, in seconds. The cloud is asked when the last poll is as old as the wait that this makes, else the record is the answer. Without it a poll of the last 0.8 seconds is good enough. */
      interval?: number;
    };
    reply: {
      status: "success";
      message?: string;
      warnings?: Array<string>;
      agent_name: string;
      action: string;
      state: "Creating" | "Available" | "Failed" | "Deleting" | "Delete Failed" | "Deleted";
      previous_state: "Creating" | "Available" | "Failed" | "Deleting" | "Delete Failed" | "Deleted";
      runtime_id: string;
      /** The word of the cloud */
      runtime_status: string;
      attempt: number;
      /** Since the action started */
      elapsed_ms: number;
      done: number;
      /** Empty until done */
      outcome: "" | "success" | "fail";
      /** Empty when all is well */
      error_code: string;
    };
  };
  /** Feature flags and where each value comes from. */
  getFeatureFlags: {
    reply: {
      status: "success";
      message?: string;
      warnings?: Array<string>;
      flags: {
        agent_builder: boolean;
        ctsm: boolean;
        vector_stores: boolean;
        mcp_connections: boolean;
        containers: boolean;
        experiments: boolean;
        llm_providers: boolean;
        model_upload: boolean;
        model_registration: boolean;
      };
      source: {
        agent_builder: "default" | "conf";
        ctsm: "default" | "conf";
        vector_stores: "default" | "conf";
        mcp_connections: "default" | "conf";
        containers: "default" | "conf";
        experiments: "default" | "conf";
        llm_providers: "default" | "conf";
        model_upload: "default" | "conf";
        model_registration: "default" | "conf";
      };
    };
  };
  /** Whether the agent builder is on. */
  getAgentFeatureFlag: {
    reply: {
      status: "success";
      message?: string;
      warnings?: Array<string>;
      agent_builder_feature_enabled: boolean;
    };
  };
  /** What the caller has decided about curated time series models. */
  getCtsmFeature: {
    reply: {
      status: "success";
      message?: string;
      warnings?: Array<string>;
      /** The caller does not want curated time series models */
      ctsm_opt_out: boolean;
      /** The caller has acknowledged the prompt */
      ctsm_acknowledge: boolean;
      /** When first, epoch seconds with a fraction */
      acknowledged_at?: number;
    };
  };
  /** Opt out of curated time series models, or in again; for the caller alone. */
  setCtsmFeature: {
    body: {
      ctsm_opt_out: boolean;
    };
    reply: {
      status: "success";
      message?: string;
      warnings?: Array<string>;
      /** The caller does not want curated time series models */
      ctsm_opt_out: boolean;
      /** The caller has acknowledged the prompt */
      ctsm_acknowledge: boolean;
      /** When first, epoch seconds with a fraction */
      acknowledged_at?: number;
    };
  };
  /** Acknowledge the prompt about curated time series models; for the caller alone. Doing so again changes nothing. */
  acknowledgeCtsm: {
    body?: {
      acknowledge?: true;
    };
    reply: {
      status: "success";
      message?: string;
      warnings?: Array<string>;
      /** The caller does not want curated time series models */
      ctsm_opt_out: boolean;
      /** The caller has acknowledged the prompt */
      ctsm_acknowledge: boolean;
      /** When first, epoch seconds with a fraction */
      acknowledged_at?: number;
    };
  };
  /** Experiments the caller may read; stages only with detail=true. */
  listExperiments: {
    query?: {
      /** Page size; 0 = all. Default 30. */
      count?: number;
      /** Entries to pass over. Default 0. */
      offset?: number;
      /** Default title. */
      sort_key?: "title" | "type" | "status" | "owner" | "created_at" | "last_updated_at";
      /** Default asc. */
      sort_dir?: "asc" | "desc";
      /** Case-insensitive part of name, title or description. */
      search?: string;
      type?: "predict_numeric_fields" | "predict_categorical_fields" | "detect_numeric_outliers" | "detect_categorical_outliers" | "forecast_time_series" | "cluster_numeric_events" | "smart_forecast" | "smart_outlier_detection" | "smart_clustering" | "smart_prediction";
      owner?: string;
      status?: "draft" | "trained" | "published";
      /** Stages too. Default false. */
      detail?: boolean;
    };
    reply: {
      status: "success";
      message?: string;
      warnings?: Array<string>;
      result: Array<{
        experiment_id: string;
        title: string;
        description: string;
        type: "predict_numeric_fields" | "predict_categorical_fields" | "detect_numeric_outliers" | "detect_categorical_outliers" | "forecast_time_series" | "cluster_numeric_events" | "smart_forecast" | "smart_outlier_detection" | "smart_clustering" | "smart_prediction";
        data_source?: {
          type: "search" | "dataset" | "datamodel" | "metrics";
          search?: string;
          /** Time of the platform: relative, epoch seconds or a date */
          earliest?: string | number;
          /** Time of the platform: relative, epoch seconds or a date */
          latest?: string | number;
        };
        /** In lists only with detail=true */
        search_stages?: Array<{
          role: "preprocess" | "fit" | "apply" | "validate" | "visualize";
          /** SPL */
          search: string;
          algorithm?: string;
          parameters?: Record<string, unknown>;
          fields?: Array<string> | Record<string, unknown>;
          model_name?: string;
        }>;
        statistics: Record<string, unknown>;
        status: "draft" | "trained" | "published";
        /** Derived from the stages */
        models: Array<string>;
        schedule?: {
          cron: string;
          enabled: boolean;
        };
        tags: Array<string>;
        acl: {
          owner: string;
          sharing: "user" | "app" | "global";
          perms: {
            read: Array<string>;
            write: Array<string>;
          };
        };
        version: number;
        /** When created, epoch seconds with a fraction */
        created_at: number;
        created_by: string;
        /** When last updated, epoch seconds with a fraction */
        last_updated_at: number;
        last_updated_by: string;
      }>;
      pagination: {
        offset: number;
        count: number;
        total: number;
        returned: number;
        has_more: boolean;
        next_offset: number | null;
      };
    };
  };
  /** Create an experiment; the server makes its id. */
  createExperiment: {
    body: {
      title: string;
      type: "predict_numeric_fields" | "predict_categorical_fields" | "detect_numeric_outliers" | "detect_categorical_outliers" | "forecast_time_series" | "cluster_numeric_events" | "smart_forecast" | "smart_outlier_detection" | "smart_clustering" | "smart_prediction";
      description?: string | null;
      data_source?: {
        /** Default search */
        type?: "search" | "dataset" | "datamodel" | "metrics";
        search?: string | null;
        earliest?: string | number | null;
        latest?: string | number | null;
      } | null;
      search_stages?: Array<{
        role: "preprocess" | "fit" | "apply" | "validate" | "visualize";
        /** SPL */
        search: string;
        algorithm?: string;
        parameters?: Record<string, unknown>;
        fields?: Array<string> | Record<string, unknown>;
        model_name?: string;
      }> | null;
      statistics?: Record<string, unknown> | null;
      status?: "draft" | "trained" | "published";
      tags?: Array<string> | null;
      /** Who may read and write the record; `*` = everyone. Default: the creator alone. */
      acl?: {
        owner?: string;
        sharing?: "user" | "app" | "global";
        perms?: {
          /** Existing roles that may read, or * */
          read?: Array<string>;
          /** Existing roles that may read and write, or * */
          write?: Array<string>;
        };
      };
      schedule?: {
        cron: string;
        enabled?: boolean;
      } | null;
    };
    reply: {
      status: "success";
      message?: string;
      warnings?: Array<string>;
      experiment_id: string;
      config: {
        experiment_id: string;
        title: string;
        description: string;
        type: "predict_numeric_fields" | "predict_categorical_fields" | "detect_numeric_outliers" | "detect_categorical_outliers" | "forecast_time_series" | "cluster_numeric_events" | "smart_forecast" | "smart_outlier_detection" | "smart_clustering" | "smart_prediction";
        data_source?: {
          type: "search" | "dataset" | "datamodel" | "metrics";
          search?: string;
          /** Time of the platform: relative, epoch seconds or a date */
          earliest?: string | number;
          /** Time of the platform: relative, epoch seconds or a date */
          latest?: string | number;
        };
        /** In lists only with detail=true */
        search_stages?: Array<{
          role: "preprocess" | "fit" | "apply" | "validate" | "visualize";
          /** SPL */
          search: string;
          algorithm?: string;
          parameters?: Record<string, unknown>;
          fields?: Array<string> | Record<string, unknown>;
          model_name?: string;
        }>;
        statistics: Record<string, unknown>;
        status: "draft" | "trained" | "published";
        /** Derived from the stages */
        models: Array<string>;
        schedule?: {
          cron: string;
          enabled: boolean;
        };
        tags: Array<string>;
        acl: {
          owner: string;
          sharing: "user" | "app" | "global";
          perms: {
            read: Array<string>;
            write: Array<string>;
          };
        };
        version: number;
        /** When created, epoch seconds with a fraction */
        created_at: number;
        created_by: string;
        /** When last updated, epoch seconds with a fraction */
        last_updated_at: number;
        last_updated_by: string;
      };
    };
  };
  /** One experiment with its stages. */
  getExperiment: {
    params: {
      /** UUIDv4 without dashes, made by the server */
      experiment_id: string;
    };
    reply: {
      status: "success";
      message?: string;
      warnings?: Array<string>;
      config: {
        experiment_id: string;
        title: string;
        description: string;
        type: "predict_numeric_fields" | "predict_categorical_fields" | "detect_numeric_outliers" | "detect_categorical_outliers" | "forecast_time_series" | "cluster_numeric_events" | "smart_forecast" | "smart_outlier_detection" | "smart_clustering" | "smart_prediction";
        data_source?: {
          type: "search" | "dataset" | "datamodel" | "metrics";
          search?: string;
          /** Time of the platform: relative, epoch seconds or a date */
          earliest?: string | number;
          /** Time of the platform: relative, epoch seconds or a date */
          latest?: string | number;
        };
        /** In lists only with detail=true */
        search_stages?: Array<{
          role: "preprocess" | "fit" | "apply" | "validate" | "visualize";
          /** SPL */
          search: string;
          algorithm?: string;
          parameters?: Record<string, unknown>;
          fields?: Array<string> | Record<string, unknown>;
          model_name?: string;
        }>;
        statistics: Record<string, unknown>;
        status: "draft" | "trained" | "published";
        /** Derived from the stages */
        models: Array<string>;
        schedule?: {
          cron: string;
          enabled: boolean;
        };
        tags: Array<string>;
        acl: {
          owner: string;
          sharing: "user" | "app" | "global";
          perms: {
            read: Array<string>;
            write: Array<string>;
          };
        };
        version: number;
        /** When created, epoch seconds with a fraction */
        created_at: number;
        created_by: string;
        /** When last updated, epoch seconds with a fraction */
        last_updated_at: number;
        last_updated_by: string;
      };
    };
  };
  /** Change an experiment: any subset of its fields. Objects merge, arrays are replaced, null unsets. */
  updateExperiment: {
    params: {
      /** UUIDv4 without dashes, made by the server */
      experiment_id: string;
    };
    query?: {
      version?: number;
    };
    ifMatch?: number;
    body: {
      /** UUIDv4 without dashes, made by the server */
      experiment_id?: string;
      title?: string;
      type?: "predict_numeric_fields" | "predict_categorical_fields" | "detect_numeric_outliers" | "detect_categorical_outliers" | "forecast_time_series" | "cluster_numeric_events" | "smart_forecast" | "smart_outlier_detection" | "smart_clustering" | "smart_prediction";
      description?: string | null;
      data_source?: {
        /** Default search */
        type?: "search" | "dataset" | "datamodel" | "metrics";
        search?: string | null;
        earliest?: string | number | null;
        latest?: string | number | null;
      } | null;
      search_stages?: Array<{
        role: "preprocess" | "fit" | "apply" | "validate" | "visualize";
        /** SPL */
        search: string;
        algorithm?: string;
        parameters?: Record<string, unknown>;
        fields?: Array<string> | Record<string, unknown>;
        model_name?: string;
      }> | null;
      statistics?: Record<string, unknown> | null;
      status?: "draft" | "trained" | "published";
      tags?: Array<string> | null;
      /** Who may read and write the record; `*` = everyone. Default: the creator alone. */
      acl?: {
        owner?: string;
        sharing?: "user" | "app" | "global";
        perms?: {
          /** Existing roles that may read, or * */
          read?: Array<string>;
          /** Existing roles that may read and write, or * */
          write?: Array<string>;
        };
      };
      schedule?: {
        cron?: string;
        enabled?: boolean;
      } | null;
      /** Condition: the version that this change is based on. */
      version?: number;
    };
    reply: {
      status: "success";
      message?: string;
      warnings?: Array<string>;
      config: {
        experiment_id: string;
        title: string;
        description: string;
        type: "predict_numeric_fields" | "predict_categorical_fields" | "detect_numeric_outliers" | "detect_categorical_outliers" | "forecast_time_series" | "cluster_numeric_events" | "smart_forecast" | "smart_outlier_detection" | "smart_clustering" | "smart_prediction";
        data_source?: {
          type: "search" | "dataset" | "datamodel" | "metrics";
          search?: string;
          /** Time of the platform: relative, epoch seconds or a date */
          earliest?: string | number;
          /** Time of the platform: relative, epoch seconds or a date */
          latest?: string | number;
        };
        /** In lists only with detail=true */
        search_stages?: Array<{
          role: "preprocess" | "fit" | "apply" | "validate" | "visualize";
          /** SPL */
          search: string;
          algorithm?: string;
          parameters?: Record<string, unknown>;
          fields?: Array<string> | Record<string, unknown>;
          model_name?: string;
        }>;
        statistics: Record<string, unknown>;
        status: "draft" | "trained" | "published";
        /** Derived from the stages */
        models: Array<string>;
        schedule?: {
          cron: string;
          enabled: boolean;
        };
        tags: Array<string>;
        acl: {
          owner: string;
          sharing: "user" | "app" | "global";
          perms: {
            read: Array<string>;
            write: Array<string>;
          };
        };
        version: number;
        /** When created, epoch seconds with a fraction */
        created_at: number;
        created_by: string;
        /** When last updated, epoch seconds with a fraction */
        last_updated_at: number;
        last_updated_by: string;
      };
    };
  };
  /** Delete an experiment with its history and the models that bear its id. */
  deleteExperiment: {
    params: {
      /** UUIDv4 without dashes, made by the server */
      experiment_id: string;
    };
    query?: {
      /** Leave its models. Default false. */
      keep_models?: boolean;
      version?: number;
    };
    ifMatch?: number;
    reply: {
      status: "success";
      message?: string;
      warnings?: Array<string>;
      experiment_id: string;
      deleted_models: Array<string>;
      deleted_history: number;
    };
  };
  /** Runs and changes of an experiment, newest first; the newest 1,000 are kept. */
  listExperimentHistory: {
    params: {
      /** UUIDv4 without dashes, made by the server */
      experiment_id: string;
    };
    query?: {
      /** Page size; 0 = all. Default 30. */
      count?: number;
      /** Entries to pass over. Default 0. */
      offset?: number;
      /** Default timestamp. */
      sort_key?: "timestamp";
      /** Default desc. */
      sort_dir?: "asc" | "desc";
      /** Case-insensitive part of message, user or action. */
      search?: string;
      action?: "create" | "update" | "train" | "scheduled_train" | "apply" | "publish" | "clone_models" | "alert" | "delete" | "note";
      status?: "success" | "fail";
      /** Epoch seconds or an ISO 8601 date */
      earliest?: string;
      /** Epoch seconds or an ISO 8601 date */
      latest?: string;
    };
    reply: {
      status: "success";
      message?: string;
      warnings?: Array<string>;
      result: Array<{
        history_id: string;
        experiment_id: string;
        action: "create" | "update" | "train" | "scheduled_train" | "apply" | "publish" | "clone_models" | "alert" | "delete" | "note";
        /** When added, epoch seconds with a fraction; set by the server */
        timestamp: number;
        /** Who added it; set by the server */
        user: string;
        sid?: string;
        search?: string;
        models?: Array<string>;
        parameters?: Record<string, unknown>;
        statistics?: Record<string, unknown>;
        duration_ms?: number;
        status: "success" | "fail";
        message?: string;
      }>;
      pagination: {
        offset: number;
        count: number;
        total: number;
        returned: number;
        has_more: boolean;
        next_offset: number | null;
      };
    };
  };
  /** Add an entry to the history of an experiment; the server sets time and user. */
  addExperimentHistory: {
    params: {
      /** UUIDv4 without dashes, made by the server */
      experiment_id: string;
    };
    body: {
      action: "create" | "update" | "train" | "scheduled_train" | "apply" | "publish" | "clone_models" | "alert" | "delete" | "note";
      sid?: string;
      /** SPL */
      search?: string;
      models?: Array<string>;
      parameters?: Record<string, unknown>;
      statistics?: Record<string, unknown>;
      duration_ms?: number;
      /** Default success */
      status?: "success" | "fail";
      message?: string;
    };
    reply: {
      status: "success";
      message?: string;
      warnings?: Array<string>;
      history_id: string;
      config: {
        history_id: string;
        experiment_id: string;
        action: "create" | "update" | "train" | "scheduled_train" | "apply" | "publish" | "clone_models" | "alert" | "delete" | "note";
        /** When added, epoch seconds with a fraction; set by the server */
        timestamp: number;
        /** Who added it; set by the server */
        user: string;
        sid?: string;
        search?: string;
        models?: Array<string>;
        parameters?: Record<string, unknown>;
        statistics?: Record<string, unknown>;
        duration_ms?: number;
        status: "success" | "fail";
        message?: string;
      };
    };
  };
  /** Copy models of an experiment under other names; what was copied stays, whatever happens to the rest. */
  cloneExperimentModels: {
    params: {
      /** UUIDv4 without dashes, made by the server */
      experiment_id: string;
    };
    body?: {
      /** Default: every draft model of the experiment, to its final name */
      models?: Array<{
        source: string;
        destination: string;
      }>;
      /** Of the copies; default user */
      sharing?: "user" | "app";
      /** Default false */
      overwrite?: boolean;
    };
    reply: {
      status: "success";
      message?: string;
      warnings?: Array<string>;
      result: Array<{
        source: string;
        destination: string;
        status: "cloned" | "skipped" | "failed";
        error_code?: string;
      }>;
    };
  };
  /** Vector stores the caller may read; with name= one of them. */
  listVectorStores: {
    query?: {
      /** Page size; 0 = all. Default 30. */
      count?: number;
      /** Entries to pass over. Default 0. */
      offset?: number;
      /** Default name. */
      sort_key?: "name" | "type" | "description" | "created_at" | "created_by" | "last_updated_at" | "last_updated_by" | "version";
      /** Default asc. */
      sort_dir?: "asc" | "desc";
      /** Case-insensitive part of name, title or description. */
      search?: string;
      /** Unique name, compared without regard to case. */
      name?: string;
    };
    reply: {
      status: "success";
      message?: string;
      warnings?: Array<string>;
      result?: Array<{
        name: string;
        /** CLOUD_KB: a knowledge base of Amazon Bedrock */
        type: "CLOUD_KB";
        description: string;
        details: {
          cloud_access_key_id?: string;
          /** Secret access key: ***MASKED*** when one is stored */
          cloud_access_key_token?: string;
          role_arn?: string;
          cloud_region: string;
          kb_id: string;
        };
        acl: {
          owner: string;
          sharing: "user" | "app" | "global";
          perms: {
            read: Array<string>;
            write: Array<string>;
          };
        };
        version: number;
        /** When created, epoch seconds with a fraction */
        created_at: number;
        created_by: string;
        /** When last updated, epoch seconds with a fraction */
        last_updated_at: number;
        last_updated_by: string;
        last_test?: {
          status: "success" | "fail";
          error_code: string | null;
          /** When tested, epoch seconds with a fraction */
          tested_at: number;
          response_time_ms: number;
        };
      }>;
      pagination?: {
        offset: number;
        count: number;
        total: number;
        returned: number;
        has_more: boolean;
        next_offset: number | null;
      };
      config?: {
        name: string;
        /** CLOUD_KB: a knowledge base of Amazon Bedrock */
        type: "CLOUD_KB";
        description: string;
        details: {
          cloud_access_key_id?: string;
          /** Secret access key: ***MASKED*** when one is stored */
          cloud_access_key_token?: string;
          role_arn?: string;
          cloud_region: string;
          kb_id: string;
        };
        acl: {
          owner: string;
          sharing: "user" | "app" | "global";
          perms: {
            read: Array<string>;
            write: Array<string>;
          };
        };
        version: number;
        /** When created, epoch seconds with a fraction */
        created_at: number;
        created_by: string;
        /** When last updated, epoch seconds with a fraction */
        last_updated_at: number;
        last_updated_by: string;
        last_test?: {
          status: "success" | "fail";
          error_code: string | null;
          /** When tested, epoch seconds with a fraction */
          tested_at: number;
          response_time_ms: number;
        };
      };
    };
  };
  /** Create a vector store connection. */
  createVectorStore: {
    body: {
      /** Unique name, compared without regard to case. */
      name: string;
      /** CLOUD_KB: a knowledge base of Amazon Bedrock */
      type: "CLOUD_KB";
      details: {
        /** AWS region of the knowledge base */
        cloud_region: string;
        /** Identifier of the knowledge base */
        kb_id: string;
        cloud_access_key_id?: string | null;
        /** Secret access key */
        cloud_access_key_token?: string | null;
        role_arn?: string | null;
      };
      description?: string | null;
      /** Who may read and write the record; `*` = everyone. Default: the creator alone. */
      acl?: {
        owner?: string;
        sharing?: "user" | "app" | "global";
        perms?: {
          /** Existing roles that may read, or * */
          read?: Array<string>;
          /** Existing roles that may read and write, or * */
          write?: Array<string>;
        };
      };
    };
    reply: {
      status: "success";
      message?: string;
      warnings?: Array<string>;
      config: {
        name: string;
        /** CLOUD_KB: a knowledge base of Amazon Bedrock */
        type: "CLOUD_KB";
        description: string;
        details: {
          cloud_access_key_id?: string;
          /** Secret access key: ***MASKED*** when one is stored */
          cloud_access_key_token?: string;
          role_arn?: string;
          cloud_region: string;
          kb_id: string;
        };
        acl: {
          owner: string;
          sharing: "user" | "app" | "global";
          perms: {
            read: Array<string>;
            write: Array<string>;
          };
        };
        version: number;
        /** When created, epoch seconds with a fraction */
        created_at: number;
        created_by: string;
        /** When last updated, epoch seconds with a fraction */
        last_updated_at: number;
        last_updated_by: string;
        last_test?: {
          status: "success" | "fail";
          error_code: string | null;
          /** When tested, epoch seconds with a fraction */
          tested_at: number;
          response_time_ms: number;
        };
      };
    };
  };
  /** Change a vector store: name and any subset of its fields. */
  updateVectorStore: {
    query?: {
      version?: number;
    };
    ifMatch?: number;
    body: {
      /** Unique name, compared without regard to case. */
      name: string;
      /** CLOUD_KB: a knowledge base of Amazon Bedrock */
      type?: "CLOUD_KB";
      details?: {
        /** AWS region of the knowledge base */
        cloud_region?: string;
        /** Identifier of the knowledge base */
        kb_id?: string;
        cloud_access_key_id?: string | null;
        /** Secret access key */
        cloud_access_key_token?: string | null;
        role_arn?: string | null;
      };
      description?: string | null;
      /** Who may read and write the record; `*` = everyone. Default: the creator alone. */
      acl?: {
        owner?: string;
        sharing?: "user" | "app" | "global";
        perms?: {
          /** Existing roles that may read, or * */
          read?: Array<string>;
          /** Existing roles that may read and write, or * */
          write?: Array<string>;
        };
      };
      /** Condition: the version that this change is based on. */
      version?: number;
    };
    reply: {
      status: "success";
      message?: string;
      warnings?: Array<string>;
      config: {
        name: string;
        /** CLOUD_KB: a knowledge base of Amazon Bedrock */
        type: "CLOUD_KB";
        description: string;
        details: {
          cloud_access_key_id?: string;
          /** Secret access key: ***MASKED*** when one is stored */
          cloud_access_key_token?: string;
          role_arn?: string;
          cloud_region: string;
          kb_id: string;
        };
        acl: {
          owner: string;
          sharing: "user" | "app" | "global";
          perms: {
            read: Array<string>;
            write: Array<string>;
          };
        };
        version: number;
        /** When created, epoch seconds with a fraction */
        created_at: number;
        created_by: string;
        /** When last updated, epoch seconds with a fraction */
        last_updated_at: number;
        last_updated_by: string;
        last_test?: {
          status: "success" | "fail";
          error_code: string | null;
          /** When tested, epoch seconds with a fraction */
          tested_at: number;
          response_time_ms: number;
        };
      };
    };
  };
  /** One vector store. */
  getVectorStore: {
    params: {
      /** Unique name, compared without regard to case. */
      name: string;
    };
    reply: {
      status: "success";
      message?: string;
      warnings?: Array<string>;
      config: {
        name: string;
        /** CLOUD_KB: a knowledge base of Amazon Bedrock */
        type: "CLOUD_KB";
        description: string;
        details: {
          cloud_access_key_id?: string;
          /** Secret access key: ***MASKED*** when one is stored */
          cloud_access_key_token?: string;
          role_arn?: string;
          cloud_region: string;
          kb_id: string;
        };
        acl: {
          owner: string;
          sharing: "user" | "app" | "global";
          perms: {
            read: Array<string>;
            write: Array<string>;
          };
        };
        version: number;
        /** When created, epoch seconds with a fraction */
        created_at: number;
        created_by: string;
        /** When last updated, epoch seconds with a fraction */
        last_updated_at: number;
        last_updated_by: string;
        last_test?: {
          status: "success" | "fail";
          error_code: string | null;
          /** When tested, epoch seconds with a fraction */
          tested_at: number;
          response_time_ms: number;
        };
      };
    };
  };
  /** Delete a vector store connection with its secret; the knowledge base itself stays. */
  deleteVectorStore: {
    params: {
      /** Unique name, compared without regard to case. */
      name: string;
    };
    query?: {
      /** Delete although agents use it */
      force?: boolean;
      version?: number;
    };
    ifMatch?: number;
    reply: {
      status: "success";
      message?: string;
      warnings?: Array<string>;
      name: string;
    };
  };
  /** Reach the knowledge base of a saved or given vector store; nothing but last_test is written. */
  testVectorStore: {
    body: {
      /** Unique name, compared without regard to case. */
      name?: string;
      /** CLOUD_KB: a knowledge base of Amazon Bedrock */
      type?: "CLOUD_KB";
      details?: {
        /** AWS region of the knowledge base */
        cloud_region?: string;
        /** Identifier of the knowledge base */
        kb_id?: string;
        cloud_access_key_id?: string | null;
        /** Secret access key */
        cloud_access_key_token?: string | null;
        role_arn?: string | null;
      };
      /** Retrieve passages for this text too */
      query?: string;
    };
    reply: {
      status: "success" | "fail";
      message?: string;
      /** Only with status fail */
      error_code?: string;
      /** What a person can do about this code */
      remedy?: string;
      warnings?: Array<string>;
      success: boolean;
      data: {
        name: string | null;
        /** CLOUD_KB: a knowledge base of Amazon Bedrock */
        type: "CLOUD_KB";
        kb_id: string;
        region: string;
        /** ACTIVE, CREATING, FAILED … */
        knowledge_base_status: string | null;
        knowledge_base_name?: string;
        response_time_ms: number;
        /** AWS answered */
        reachable: boolean;
        /** AWS took the credentials */
        authenticated: boolean;
        steps: Array<{
          step: "assume_role" | "get_knowledge_base" | "retrieve";
          status: "success" | "fail" | "skipped";
          error_code?: string;
          ms: number;
        }>;
      };
    };
  };
  /** One registered cloud model. */
  getRegistration: {
    query?: {
      /** Unique name, compared without regard to case. */
      model_name: string;
    };
    reply: {
      status: "success";
      message?: string;
      warnings?: Array<string>;
      config: {
        model_name: string;
        endpoint_name: string;
        cloud_credentials: {
          region: string;
          access_key_id?: string;
          /** ***MASKED*** when one is stored */
          secret_access_key?: string;
          role_arn?: string;
        };
        /** Field of a search -> where its value goes in the request: `instances[*].cpu` */
        input_feature_map: Record<string, string>;
        /** Where a value stands in the response -> field of the result: `predictions[*]` -> `result` */
        output_prediction_map: Record<string, string>;
        /** OpenAPI 3 document with POST /invocations; the maps are checked against it */
        openapi_spec?: Record<string, unknown>;
        batch_size: number;
        acl: {
          owner: string;
          sharing: "user" | "app" | "global";
          perms: {
            read: Array<string>;
            write: Array<string>;
          };
        };
        version: number;
        /** When created, epoch seconds with a fraction */
        created_at: number;
        created_by: string;
        /** When last updated, epoch seconds with a fraction */
        last_updated_at: number;
        last_updated_by: string;
        last_test?: {
          status: "success" | "fail";
          error_code: string | null;
          /** When tested, epoch seconds with a fraction */
          tested_at: number;
          response_time_ms: number;
        };
      };
    };
  };
  /** Register a cloud model whose endpoint is in service; with test_connection=1 only ask for its state. */
  registerModel: {
    query?: {
      /** 1 or true: describe the endpoint and store nothing. 0, false or empty: register. */
      test_connection?: string;
    };
    body: {
      /** Unique name, compared without regard to case. */
      model_name: string;
      /** Name of the SageMaker endpoint */
      endpoint_name?: string;
      cloud_credentials?: {
        /** AWS region of the endpoint; required to register */
        region?: string;
        access_key_id?: string | null;
        /** Secret access key */
        secret_access_key?: string | null;
        role_arn?: string | null;
      };
      /** Field of a search -> where its value goes in the request: `instances[*].cpu` */
      input_feature_map?: Record<string, string>;
      /** Where a value stands in the response -> field of the result: `predictions[*]` -> `result` */
      output_prediction_map?: Record<string, string>;
      openapi_spec?: Record<string, unknown> | null;
      /** Rows sent at a time. Default 100. */
      batch_size?: number;
      /** Who may read and write the record; `*` = everyone. Default: the creator alone. */
      acl?: {
        owner?: string;
        sharing?: "user" | "app" | "global";
        perms?: {
          /** Existing roles that may read, or * */
          read?: Array<string>;
          /** Existing roles that may read and write, or * */
          write?: Array<string>;
        };
      };
    };
    reply: {
      status: "success" | "fail";
      message?: string;
      /** Only with status fail */
      error_code?: string;
      /** What a person can do about this code */
      remedy?: string;
      /** Registration only */
      warnings?: Array<string>;
      success: boolean;
      /** Registration only */
      model_name?: string;
      endpoint_name: string;
      /** Test only: InService, Creating, Failed … */
      endpoint_status?: string | null;
      /** Test only */
      test_type?: "connection_test";
      /** Test only */
      response_time_ms?: number;
    };
  };
  /** Change a registration: model_name and any subset of its fields. A new endpoint has to be in service. */
  updateRegistration: {
    query?: {
      version?: number;
    };
    ifMatch?: number;
    body: {
      /** Unique name, compared without regard to case. */
      model_name: string;
      /** Name of the SageMaker endpoint */
      endpoint_name?: string;
      cloud_credentials?: {
        /** AWS region of the endpoint; required to register */
        region?: string;
        access_key_id?: string | null;
        /** Secret access key */
        secret_access_key?: string | null;
        role_arn?: string | null;
      };
      /** Field of a search -> where its value goes in the request: `instances[*].cpu` */
      input_feature_map?: Record<string, string>;
      /** Where a value stands in the response -> field of the result: `predictions[*]` -> `result` */
      output_prediction_map?: Record<string, string>;
      openapi_spec?: Record<string, unknown> | null;
      /** Rows sent at a time. Default 100. */
      batch_size?: number;
      /** Who may read and write the record; `*` = everyone. Default: the creator alone. */
      acl?: {
        owner?: string;
        sharing?: "user" | "app" | "global";
        perms?: {
          /** Existing roles that may read, or * */
          read?: Array<string>;
          /** Existing roles that may read and write, or * */
          write?: Array<string>;
        };
      };
      /** Condition: the version that this change is based on. */
      version?: number;
    };
    reply: {
      status: "success";
      message?: string;
      warnings?: Array<string>;
      config: {
        model_name: string;
        endpoint_name: string;
        cloud_credentials: {
          region: string;
          access_key_id?: string;
          /** ***MASKED*** when one is stored */
          secret_access_key?: string;
          role_arn?: string;
        };
        /** Field of a search -> where its value goes in the request: `instances[*].cpu` */
        input_feature_map: Record<string, string>;
        /** Where a value stands in the response -> field of the result: `predictions[*]` -> `result` */
        output_prediction_map: Record<string, string>;
        /** OpenAPI 3 document with POST /invocations; the maps are checked against it */
        openapi_spec?: Record<string, unknown>;
        batch_size: number;
        acl: {
          owner: string;
          sharing: "user" | "app" | "global";
          perms: {
            read: Array<string>;
            write: Array<string>;
          };
        };
        version: number;
        /** When created, epoch seconds with a fraction */
        created_at: number;
        created_by: string;
        /** When last updated, epoch seconds with a fraction */
        last_updated_at: number;
        last_updated_by: string;
        last_test?: {
          status: "success" | "fail";
          error_code: string | null;
          /** When tested, epoch seconds with a fraction */
          tested_at: number;
          response_time_ms: number;
        };
      };
    };
  };
  /** Delete a registration with its secret; the endpoint itself stays. */
  deleteRegistration: {
    query?: {
      /** Unique name, compared without regard to case. */
      model_name: string;
      version?: number;
    };
    ifMatch?: number;
    reply: {
      status: "success";
      message?: string;
      warnings?: Array<string>;
      model_name: string;
    };
  };
  /** LLM, Docker and Kubernetes connections of the families that the caller may read: all of them, or pages with count=. */
  listConnections: {
    query?: {
      /** Page size; 0 = all. Default 30. */
      count?: number;
      /** Entries to pass over. Default 0. */
      offset?: number;
      /** Default connection_type. */
      sort_key?: "connection_type" | "connection_name";
      /** Default asc. */
      sort_dir?: "asc" | "desc";
      /** Case-insensitive part of name, title or description. */
      search?: string;
    };
    reply: {
      status: "success";
      message?: string;
      warnings?: Array<string>;
      result: Array<{
        connection_type: "llm" | "docker" | "kubernetes";
        /** llm: the service */
        Provider?: string;
        /** llm */
        Model?: string;
        /** llm */
        "Connection Name"?: string;
        /** docker, kubernetes */
        connection_name?: string;
        /** docker */
        docker_url?: string;
        /** docker */
        tls_enabled?: boolean;
        /** kubernetes; empty inside the cluster */
        cluster_url?: string;
      }>;
      pagination?: {
        offset: number;
        count: number;
        total: number;
        returned: number;
        has_more: boolean;
        next_offset: number | null;
      };
    };
  };
  /** Models of the platform that the caller may see, and registered cloud models that the caller may read. */
  listModels: {
    query?: {
      /** Page size; 0 = all. Default 30. */
      count?: number;
      /** Entries to pass over. Default 0. */
      offset?: number;
      /** Default name. */
      sort_key?: "name" | "type" | "owner" | "app" | "sharing" | "updated_at";
      /** Default asc. */
      sort_dir?: "asc" | "desc";
      /** Case-insensitive part of name, title or description. */
      search?: string;
      type?: "onnx" | "cloud" | "lookup";
      owner?: string;
    };
    reply: {
      status: "success";
      message?: string;
      warnings?: Array<string>;
      result: Array<{
        name: string;
        type: "onnx" | "cloud" | "lookup";
        algorithm?: string;
        features: Array<string>;
        targets: Array<string>;
        /** Of a cloud model */
        endpoint_name?: string;
        owner: string;
        app: string;
        sharing: "user" | "app" | "global";
        /** Of the file */
        size_bytes?: number;
        /** Epoch seconds with a fraction; 0 where this member does not have the file */
        updated_at: number;
      }>;
      pagination: {
        offset: number;
        count: number;
        total: number;
        returned: number;
        has_more: boolean;
        next_offset: number | null;
      };
    };
  };
  /** Upload an ONNX model: base64 in JSON, or multipart/form-data with a part model_file. */
  uploadModel: {
    body: {
      /** Name of the model; its lookup file is __mlspl_<name>.onnx. */
      model_name: string;
      /** Fields that the model is given, in the order of its first input: a list, or their names joined by commas */
      features: Array<string> | string;
      /** Fields that it predicts: a list, or their names joined by commas */
      targets: Array<string> | string;
      /** The ONNX file, at most 31,457,280 bytes */
      model_file: string;
      /** As the caller calls it; kept for information */
      file_name?: string;
      /** Replace a model of this name. Default false. */
      overwrite?: boolean | "true" | "false" | "1" | "0";
      /** Private, or of the app. Default user. */
      sharing?: "user" | "app";
    };
    reply: {
      status: "success";
      message?: string;
      warnings?: Array<string>;
      model_name: string;
      config: {
        name: string;
        type: "onnx" | "cloud" | "lookup";
        algorithm?: string;
        features: Array<string>;
        targets: Array<string>;
        /** Of a cloud model */
        endpoint_name?: string;
        owner: string;
        app: string;
        sharing: "user" | "app" | "global";
        /** Of the file */
        size_bytes?: number;
        /** Epoch seconds with a fraction; 0 where this member does not have the file */
        updated_at: number;
        file_name?: string;
        ir_version: number;
        opset_version: number | null;
        inputs: Array<{
          name: string;
          /** null for an open dimension, or where there is no shape */
          shape: Array<number | null> | null;
        }>;
        outputs: Array<{
          name: string;
          /** null for an open dimension, or where there is no shape */
          shape: Array<number | null> | null;
        }>;
      };
    };
  };
  /** Delete an uploaded model; of several with one name the own one, then that of the app. */
  deleteModel: {
    params: {
      /** Name of the model; its lookup file is __mlspl_<name>.onnx. */
      model_name: string;
    };
    query?: {
      sharing?: "user" | "app";
    };
    reply: {
      status: "success";
      message?: string;
      warnings?: Array<string>;
      model_name: string;
      owner: string;
      sharing: "user" | "app" | "global";
    };
  };
  /** Version of the app and state of what it depends on. */
  getHealth: {
    reply: {
      status: "success";
      message?: string;
      warnings?: Array<string>;
      version: string;
      /** `ready`, or the state of the record store in the word of the platform */
      store: string;
      /** `ready`, or why the password storage cannot be used */
      secrets: string;
      /** The driver process that answers: the platform does not tell of its siblings */
      drivers: Array<{
        pid: number;
        runtime: string;
        uptime_s: number;
        /** Resident set */
        memory_bytes: number;
        /** Served by this process */
        requests: number;
      }>;
    };
  };
  /** This interface as an OpenAPI 3.1 document. */
  getOpenApi: {
    reply: Record<string, unknown>;
  };
}

/** Method and path template of each operation. */
export const operations = {
  listMcpConnections: { method: 'GET', path: '/ml/mcp_connection' },
  createMcpConnection: { method: 'POST', path: '/ml/mcp_connection' },
  updateMcpConnection: { method: 'PUT', path: '/ml/mcp_connection' },
  getMcpConnection: { method: 'GET', path: '/ml/mcp_connection/{name}' },
  deleteMcpConnection: { method: 'DELETE', path: '/ml/mcp_connection/{name}' },
  testMcpConnection: { method: 'POST', path: '/ml/mcp_connection/test' },
  listMcpTools: { method: 'POST', path: '/ml/mcp_connection/tools' },
  listLlmConfigurations: { method: 'GET', path: '/ml/aicommander' },
  saveLlmConfiguration: { method: 'POST', path: '/ml/aicommander' },
  getLlmConfiguration: { method: 'GET', path: '/ml/aicommander/{service}/{connection_name}/{model}' },
  deleteLlmConfiguration: { method: 'DELETE', path: '/ml/aicommander/{service}/{connection_name}/{model}' },
  getLlmCatalogue: { method: 'GET', path: '/ml/aicommander_metadata' },
  actOnLlmProvider: { method: 'POST', path: '/ml/aicommander_metadata' },
  saveContainerConnection: { method: 'POST', path: '/ml/container_connection' },
  listContainerConnections: { method: 'GET', path: '/ml/container_connection/{container_type}' },
  getContainerConnection: { method: 'GET', path: '/ml/container_connection/{container_type}/{connection_name}' },
  deleteContainerConnection: { method: 'DELETE', path: '/ml/container_connection/{container_type}/{connection_name}' },
  testContainerConnection: { method: 'POST', path: '/ml/test_container_connection' },
  listTestedConnections: { method: 'GET', path: '/ml/test_container_connection' },
  getContainerData: { method: 'GET', path: '/ml/container_data' },
  readContainerLogs: { method: 'GET', path: '/ml/container_logs' },
  getContainerLogs: { method: 'POST', path: '/ml/container_logs' },
  startContainer: { method: 'POST', path: '/ml/start_container' },
  getStartForm: { method: 'GET', path: '/ml/start_container' },
  deleteContainer: { method: 'DELETE', path: '/ml/start_container/{model_name}' },
  stopContainer: { method: 'POST', path: '/ml/stop_container' },
  getImageCatalog: { method: 'GET', path: '/ml/stop_container' },
  listAgents: { method: 'GET', path: '/ml/agents' },
  createAgent: { method: 'POST', path: '/ml/agents' },
  updateAgent: { method: 'PUT', path: '/ml/agents' },
  getAgent: { method: 'GET', path: '/ml/agents/{agent_name}' },
  deleteAgent: { method: 'DELETE', path: '/ml/agents/{agent_name}' },
  retryAgent: { method: 'POST', path: '/ml/agents/{agent_name}/retry' },
  followAgent: { method: 'POST', path: '/ml/agents/{agent_name}/status' },
  getFeatureFlags: { method: 'GET', path: '/ml/ml_feature_flags' },
  getAgentFeatureFlag: { method: 'GET', path: '/ml/agent_feature_flag' },
  getCtsmFeature: { method: 'GET', path: '/ml/ctsm_feature' },
  setCtsmFeature: { method: 'POST', path: '/ml/ctsm_feature' },
  acknowledgeCtsm: { method: 'POST', path: '/ml/ctsm_acknowledge' },
  listExperiments: { method: 'GET', path: '/ml/experiments' },
  createExperiment: { method: 'POST', path: '/ml/experiments' },
  getExperiment: { method: 'GET', path: '/ml/experiments/{experiment_id}' },
  updateExperiment: { method: 'POST', path: '/ml/experiments/{experiment_id}' },
  deleteExperiment: { method: 'DELETE', path: '/ml/experiments/{experiment_id}' },
  listExperimentHistory: { method: 'GET', path: '/ml/experiments/{experiment_id}/history' },
  addExperimentHistory: { method: 'POST', path: '/ml/experiments/{experiment_id}/history' },
  cloneExperimentModels: { method: 'POST', path: '/ml/experiments/{experiment_id}/clone_models' },
  listVectorStores: { method: 'GET', path: '/ml/vector_stores' },
  createVectorStore: { method: 'POST', path: '/ml/vector_stores' },
  updateVectorStore: { method: 'PUT', path: '/ml/vector_stores' },
  getVectorStore: { method: 'GET', path: '/ml/vector_stores/{name}' },
  deleteVectorStore: { method: 'DELETE', path: '/ml/vector_stores/{name}' },
  testVectorStore: { method: 'POST', path: '/ml/vector_stores/test' },
  getRegistration: { method: 'GET', path: '/ml/register_model' },
  registerModel: { method: 'POST', path: '/ml/register_model' },
  updateRegistration: { method: 'PUT', path: '/ml/register_model' },
  deleteRegistration: { method: 'DELETE', path: '/ml/register_model' },
  listConnections: { method: 'GET', path: '/ml/list_connections' },
  listModels: { method: 'GET', path: '/ml/list_models' },
  uploadModel: { method: 'POST', path: '/ml/upload_model' },
  deleteModel: { method: 'DELETE', path: '/ml/list_models/{model_name}' },
  getHealth: { method: 'GET', path: '/ml/health' },
  getOpenApi: { method: 'GET', path: '/ml/openapi' },
} as const satisfies Record<keyof Operations, { method: string; path: string }>;
