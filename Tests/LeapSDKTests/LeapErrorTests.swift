import Foundation
import Testing

@testable import LeapSDK

@Suite struct LeapErrorTests {
  @Test func theOldNamesCanBeThrownAndCaught() {
    func isCaught(_ error: LeapError) -> String {
      do {
        throw error as any Error
      } catch LeapError.promptExceedContextLengthFailure {
        return "prompt"
      } catch LeapError.loadModelFailure {
        return "load"
      } catch {
        return "other"
      }
    }
    #expect(isCaught(.promptExceedContextLengthFailure) == "prompt")
    #expect(isCaught(.promptExceedContextLengthFailure("long", nil)) == "prompt")
    #expect(isCaught(.generationFailure("other", nil)) == "other")
    #expect(isCaught(.modelLoadingFailure("no file", nil)) == "load")
    #expect(isCaught(.invalidInput("x")) == "other")
  }

  @Test func fourCasesAreExhaustive() {
    func name(_ error: LeapError) -> String {
      switch error {
      case .modelLoadingFailure: "loading"
      case .generationFailure: "generation"
      case .serializationFailure: "serialization"
      case .invalidInput: "input"
      }
    }
    #expect(name(.promptExceedContextLengthFailure) == "generation")
    #expect(name(.loadModelFailure) == "loading")
  }

  @Test func theTextNamesTheCause() {
    let error: any Error = LeapError.modelLoadingFailure(
      "The model is not there.", CocoaError(.fileNoSuchFile))
    #expect(error.localizedDescription.hasPrefix("The model is not there. Cause: "))
    #expect(String(describing: LeapError.invalidInput("No.")) == "No.")
  }
}
