import JSON
import Templates

/// Renders a template once.
func render(
  _ source: String, _ context: JSONObject = [:], limits: TemplateLimits = .default
) throws(TemplateError) -> String {
  try ChatTemplate(source, limits: limits).render(context, now: goldenNow, timeZone: .gmt).text
}

/// The error of a template that must fail, when it is read or when it is rendered.
func failure(
  _ source: String, _ context: JSONObject = [:], limits: TemplateLimits = .default
) -> TemplateError? {
  do throws(TemplateError) {
    _ = try render(source, context, limits: limits)
    return nil
  } catch {
    return error
  }
}
