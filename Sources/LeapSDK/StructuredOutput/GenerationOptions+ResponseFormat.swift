extension GenerationOptions {
  /// Constrains the answer to JSON that decodes as `type`.
  ///
  /// - Throws: `invalidInput` where the type has no usable JSON Schema.
  public mutating func setResponseFormat<T: GeneratableType>(type: T.Type) throws {
    do {
      jsonSchemaConstraint = try JSONSchemaGenerator.getJSONSchema(for: type)
    } catch {
      throw LeapError.invalidInput("The type '\(type)' has no usable JSON Schema. \(error)")
    }
  }
}
