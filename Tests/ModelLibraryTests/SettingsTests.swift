import Foundation
import Testing

@testable import ModelLibrary

@Suite struct SettingsTests {
  @Test func theFolderComesFromTheEnvironment() {
    func path(_ environment: [String: String]) -> String {
      LibrarySettings(environment: environment).folder.path
    }
    #expect(path(["LEAP_MODELS_DIR": "/m", "XDG_DATA_HOME": "/x", "HOME": "/h"]) == "/m")
    #if os(Linux)
      #expect(path(["XDG_DATA_HOME": "/x", "HOME": "/h"]) == "/x/leap_models")
      #expect(path(["LEAP_MODELS_DIR": "", "HOME": "/h"]) == "/h/.local/share/leap_models")
      #expect(path(["LEAP_MODELS_DIR": "m", "HOME": "/h"]) == "/h/.local/share/leap_models")
    #endif
  }

  @Test func theHubsVariablesAreReadAsItsToolsReadThem() {
    let plain = LibrarySettings(environment: ["HOME": "/h"])
    #expect(plain.endpoint == LibrarySettings.defaultEndpoint)
    #expect(plain.hubCache?.path == "/h/.cache/huggingface/hub")
    #expect(plain.token == nil && !plain.isOffline && plain.mirrors.isEmpty)

    func cache(_ environment: [String: String]) -> String? {
      LibrarySettings(environment: environment).hubCache?.path
    }
    #expect(cache(["HF_HUB_CACHE": "/c", "HF_HOME": "/f", "XDG_CACHE_HOME": "/x"]) == "/c")
    #expect(cache(["HF_HOME": "/f", "XDG_CACHE_HOME": "/x"]) == "/f/hub")
    #expect(cache(["XDG_CACHE_HOME": "/x"]) == "/x/huggingface/hub")

    for (text, isOffline) in [
      ("1", true), ("true", true), ("YES", true), ("On", true), ("0", false), ("", false),
      ("false", false), ("2", false),
    ] {
      #expect(
        LibrarySettings(environment: ["HF_HUB_OFFLINE": text]).isOffline == isOffline, "\(text)")
    }
  }

  @Test func addressesAreSplitAndOthersLeftOut() {
    let settings = LibrarySettings(environment: [
      "LEAP_MODELS_URL": " http://127.0.0.1:1/a/, ftp://x https://127.0.0.2,nonsense",
      "HF_ENDPOINT": "http://127.0.0.1:9/",
    ])
    #expect(
      settings.mirrors.map(\.absoluteString) == ["http://127.0.0.1:1/a", "https://127.0.0.2"])
    #expect(settings.endpoint.absoluteString == "http://127.0.0.1:9")
  }

  @Test func theTokenIsOneLineFromTheVariableOrAFile() throws {
    let test = try TestLibrary()
    try test.write("hf_file\n", "token")
    let home = ["HF_HOME": test.root.path]
    #expect(LibrarySettings(environment: home).token == "hf_file")
    #expect(
      LibrarySettings(environment: ["HF_TOKEN_PATH": test.root.path + "/token"]).token == "hf_file")
    #expect(
      LibrarySettings(environment: home.merging(["HF_TOKEN": " hf_x "]) { $1 }).token == "hf_x")
    #expect(LibrarySettings(environment: ["HF_TOKEN": "a\r\nHost: b", "HOME": "/h"]).token == nil)
  }
}
