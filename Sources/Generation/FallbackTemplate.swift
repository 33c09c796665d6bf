/// Templates for files that have none of their own.
enum FallbackTemplate {
  /// ChatML, the format of LFM2 and many others.
  static let chatML = """
    {{- bos_token -}}
    {%- for message in messages -%}
    {{- '<|im_start|>' + message['role'] + '\\n' + message['content'] + '<|im_end|>\\n' -}}
    {%- endfor -%}
    {%- if add_generation_prompt -%}{{- '<|im_start|>assistant\\n' -}}{%- endif -%}
    """

  /// A plain transcript, for base models whose vocabulary has no turn markers.
  static let transcript = """
    {{- bos_token -}}
    {%- for message in messages -%}
    {{- message['role'] + ': ' + message['content'] + '\\n' -}}
    {%- endfor -%}
    {%- if add_generation_prompt -%}{{- 'assistant:' -}}{%- endif -%}
    """
}
