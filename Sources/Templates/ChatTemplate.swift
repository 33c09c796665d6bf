import Foundation
import JSON

/// A chat template in the Jinja language, read once and rendered any number of times.
///
/// Renders as Hugging Face's tokenizers do: Jinja2's immutable sandbox with `trim_blocks`,
/// `lstrip_blocks`, loop controls and the `generation` tag, `tojson` as Python's `json.dumps` without
/// ASCII escapes, and the functions `raise_exception` and `strftime_now`. Safe to use from several
/// threads at a time.
public final class ChatTemplate: Sendable {
  private let template: ParsedTemplate
  private let limits: TemplateLimits

  /// Reads a template.
  ///
  /// - Throws: an error of kind `.syntax`, or `.limit` where the source is nested too deeply.
  public init(
    _ source: String, limits: TemplateLimits = .default
  ) throws(TemplateError) {
    template = try Parser.parse(source, limits: limits)
    self.limits = limits
  }

  /// Renders the template.
  ///
  /// Strings anywhere in the context count as data (see `RenderedText`), except the ones at its top
  /// level whose names end with `_token`: those are the model's own special tokens.
  ///
  /// - Parameters:
  ///   - context: the template's variables: `messages`, `tools`, `add_generation_prompt`, …
  ///   - now: the time that `strftime_now` tells.
  ///   - timeZone: the time zone that `strftime_now` tells it in.
  /// - Throws: an error of kind `.runtime`, `.raised` or `.limit`.
  public func render(
    _ context: JSONObject, now: Date = Date(), timeZone: TimeZone = .current
  ) throws(TemplateError) -> RenderedText {
    let clock = TemplateClock(now: now, timeZone: timeZone)
    let renderer = try Renderer(template, context: context, clock: clock, limits: limits)
    defer { renderer.clear() }
    return try renderer.render(template.body)
  }
}
