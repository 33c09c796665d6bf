// swift-tools-version: 6.2
// Tools 6.2: from here on SwiftPM lets a versioned dependency use `unsafeFlags`, which the kernel
// targets need to be compiled for more than one instruction set.
import CompilerPluginSupport
import Foundation
import PackageDescription

/// Kernels stay optimised in debug builds too (the later flag wins); they work on raw pointers
/// whose bounds were checked by their callers, so unchecked arithmetic is confined to these targets.
let kernelFlags: [SwiftSetting] = [
  .unsafeFlags([
    "-Ounchecked", "-enforce-exclusivity=unchecked",
    // For the prefetch instruction alone, see Prefetch.swift.
    "-Xfrontend", "-enable-builtin-module",
    // The files of a kernel target inline into each other. More than one thread, because debug
    // builds ask for an index, which needs an object file for each source.
    "-wmo", "-num-threads", "2", "-disable-batch-mode",
  ])
]

// One source tree, one target per instruction set: the variants are symlinks to `Sources/Kernels`.
#if arch(x86_64)
  let kernelVariants: [Target] = [
    .target(
      name: "KernelsAVX2",
      swiftSettings: kernelFlags + [
        .define("KERNELS_AVX2"), .unsafeFlags(["-Xcc", "-march=x86-64-v3"]),
      ]),
    .target(
      name: "KernelsAVX512",
      swiftSettings: kernelFlags + [
        .define("KERNELS_AVX512"),
        .unsafeFlags(["-Xcc", "-march=x86-64-v4", "-Xcc", "-mavx512vnni"]),
      ]),
  ]
#else
  let kernelVariants: [Target] = []
#endif

// The macros are built on the SwiftSyntax that belongs to the toolchain, so that no other package is
// needed. It lies beside the package API that this manifest itself is linked with.
let swiftSyntax: String? = {
  #if canImport(Darwin)
    var image = Dl_info()
    let symbol = unsafeBitCast(Package.self, to: UnsafeRawPointer.self)
    guard dladdr(symbol, &image) != 0, let path = image.dli_fname.map({ String(cString: $0) })
    else { return nil }
  #else
    // Read to the end: the size of this file is not known in advance.
    let maps = try? FileHandle(forReadingAtPath: "/proc/self/maps")?.readToEnd()
    let images = maps?.split(separator: UInt8(ascii: "\n")).compactMap { line in
      line.firstIndex(of: UInt8(ascii: "/")).map { String(decoding: line[$0...], as: UTF8.self) }
    }
    guard let path = images?.first(where: { $0.hasSuffix("/libPackageDescription.so") })
    else { return nil }
  #endif
  let host = URL(fileURLWithPath: path + "/../../../host").standardizedFileURL.path
  let hasModules = FileManager.default.fileExists(atPath: host + "/SwiftSyntax.swiftmodule")
  return hasModules ? host : nil
}()

let macroPlugin: [Target] =
  swiftSyntax.map { host in
    let settings = [SwiftSetting.unsafeFlags(["-I", host])]
    let libraries = [
      "SwiftSyntax", "SwiftSyntaxBuilder", "SwiftSyntaxMacros", "SwiftSyntaxMacroExpansion",
      "SwiftParser", "SwiftOperators", "SwiftDiagnostics", "SwiftBasicFormat",
      "SwiftCompilerPluginMessageHandling",
    ]
    let linking =
      [LinkerSetting.unsafeFlags(["-L", host, "-Xlinker", "-rpath", "-Xlinker", host])]
      + libraries.map { .linkedLibrary($0) }
    return [
      .macro(name: "LeapSDKMacrosPlugin", swiftSettings: settings, linkerSettings: linking),
      .testTarget(
        name: "LeapSDKMacrosPluginTests", dependencies: ["LeapSDKMacrosPlugin"],
        swiftSettings: settings, linkerSettings: linking),
      .testTarget(
        name: "LeapSDKMacrosTests",
        dependencies: ["LeapSDKMacros", "Grammar", "JSON", "Sampling"]),
      .testTarget(
        name: "DocumentationTests", dependencies: ["LeapModelDownloader", "JSON", "TestSupport"]),
      .testTarget(name: "StructuredOutputTests", dependencies: ["LeapSDK", "TestSupport"]),
      .testTarget(name: "StructuredOutputClientTests", dependencies: ["LeapSDK"]),
      .testTarget(
        name: "StructuredOutputClientTestsSwift5", dependencies: ["LeapSDK"],
        swiftSettings: [.swiftLanguageMode(.v5)]),
      .testTarget(
        name: "StructuredOutputClientTestsMainActor", dependencies: ["LeapSDK"],
        swiftSettings: [.defaultIsolation(MainActor.self)]),
    ]
  } ?? []

let package = Package(
  name: "leap-swift",
  platforms: [.macOS(.v15), .iOS(.v18), .macCatalyst(.v18), .visionOS(.v2)],
  products: [
    .library(name: "LeapSDK", targets: ["LeapSDK"]),
    .library(name: "LeapModelDownloader", targets: ["LeapModelDownloader"]),
    .library(name: "LeapSDKMacros", targets: ["LeapSDKMacros"]),
    .executable(name: "leap", targets: ["leap"]),
    .executable(name: "bench", targets: ["bench"]),
  ],
  targets: [
    // Ground: file formats, values, numeric kernels.
    .target(name: "JSON"),
    .target(name: "GGUF"),
    // Hashes whole model files: unoptimised that would take a minute.
    .target(name: "Persistence", swiftSettings: [.unsafeFlags(["-O"])]),
    .target(name: "Kernels", swiftSettings: kernelFlags),
    .systemLibrary(
      name: "COpenBLAS", pkgConfig: "openblas", providers: [.apt(["libopenblas-dev"])]),

    // Compute and models.
    .target(
      name: "Compute",
      dependencies: ["GGUF", "Kernels"]
        + kernelVariants.map { .byName(name: $0.name) }
        + [.target(name: "COpenBLAS", condition: .when(platforms: [.linux]))],
      // The scalar oracle runs in every test; unoptimised it would take most of their time.
      swiftSettings: [.unsafeFlags(["-O"])]),
    .target(name: "Models", dependencies: ["Compute", "GGUF", "Persistence"]),

    // Images: a file becomes patches, and an encoder makes of them what a model reads.
    .systemLibrary(
      name: "CTurboJPEG", pkgConfig: "libturbojpeg", providers: [.apt(["libturbojpeg0-dev"])]),
    .systemLibrary(name: "CPNG", pkgConfig: "libpng", providers: [.apt(["libpng-dev"])]),
    .target(
      name: "Images", dependencies: ["CTurboJPEG", "CPNG"],
      // Resampling goes over every pixel; unoptimised it would take most of the tests' time.
      swiftSettings: [.unsafeFlags(["-O"])]),
    .target(name: "Vision", dependencies: ["Compute", "GGUF", "Models"]),

    // Sound: a file becomes features.
    .target(
      name: "Audio",
      // Transforms every frame; unoptimised it would take most of the tests' time.
      swiftSettings: [.unsafeFlags(["-O"])]),

    .target(
      name: "Speech", dependencies: ["Audio", "Compute", "GGUF", "Models"],
      swiftSettings: [.unsafeFlags(["-O"])]),

    // Files with random weights in released shapes, for `bench` and tests.
    .target(name: "Synthetic", dependencies: ["GGUF"]),

    // Text: these know nothing of models.
    .target(name: "Tokenizer", dependencies: ["GGUF"]),
    .target(name: "Templates", dependencies: ["JSON"]),
    .target(name: "Sampling"),
    .target(name: "Grammar", dependencies: ["JSON", "Sampling"]),
    .target(name: "ToolCalls", dependencies: ["JSON"]),

    // Model files: the network, and the folder they are kept in.
    .systemLibrary(
      name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .target(
      name: "Transfer",
      dependencies: ["Persistence", .target(name: "CCurl", condition: .when(platforms: [.linux]))]),
    .target(name: "ModelLibrary", dependencies: ["Transfer", "Persistence", "JSON"]),

    // One sequence's life, and the public API.
    .target(
      name: "Generation",
      dependencies: [
        "GGUF", "JSON", "Models", "Compute", "Tokenizer", "Templates", "Sampling", "Grammar",
        "ToolCalls", "Persistence", "Images", "Vision", "Audio", "Speech",
      ]),
    // A toolchain without SwiftSyntax builds everything but `@Generatable` and `@Guide`.
    .target(
      name: "LeapSDKMacros",
      dependencies: ["JSON"]
        + macroPlugin.filter { $0.type == .macro }.map { .byName(name: $0.name) },
      swiftSettings: macroPlugin.isEmpty ? [] : [.define("GENERATABLE_MACROS")]),
    .target(
      name: "LeapSDK",
      dependencies: [
        "Generation", "Audio", "ToolCalls", "JSON", "LeapSDKMacros", "ModelLibrary",
      ]),
    .target(name: "LeapModelDownloader", dependencies: ["LeapSDK", "ModelLibrary", "Transfer"]),

    // Command line.
    .target(name: "CommandLineSupport", dependencies: ["JSON"]),
    .executableTarget(
      name: "leap",
      dependencies: [
        "LeapSDK", "Generation", "Models", "Compute", "GGUF", "JSON", "Sampling", "Templates",
        "Tokenizer", "Grammar", "ToolCalls", "ModelLibrary", "Images", "Vision", "Audio", "Speech",
        "Persistence", "CommandLineSupport",
      ]),
    .executableTarget(
      name: "bench",
      dependencies: [
        "Generation", "Models", "Compute", "GGUF", "JSON", "Sampling", "ModelLibrary", "Images",
        "Vision", "Audio", "Speech", "Synthetic", "CommandLineSupport",
      ]),

    // Tests mirror the sources.
    .target(
      name: "TestSupport", dependencies: ["JSON"], path: "Tests/TestSupport",
      // Draws pictures.
      swiftSettings: [.unsafeFlags(["-O"])]),
    .target(name: "FaultServer", path: "Tests/FaultServer"),
    .testTarget(
      name: "ModelLibraryTests",
      dependencies: [
        "ModelLibrary", "Transfer", "Persistence", "JSON", "FaultServer", "TestSupport",
      ]),
    .testTarget(
      name: "TransferTests",
      dependencies: ["Transfer", "Persistence", "FaultServer", "TestSupport"]),
    .testTarget(name: "JSONTests", dependencies: ["JSON", "TestSupport"]),
    .testTarget(name: "PersistenceTests", dependencies: ["Persistence", "TestSupport"]),
    .testTarget(name: "GGUFTests", dependencies: ["GGUF", "TestSupport"]),
    .testTarget(
      name: "KernelsTests",
      dependencies: ["Kernels", "TestSupport"] + kernelVariants.map { .byName(name: $0.name) }),
    .testTarget(name: "ComputeTests", dependencies: ["Compute", "GGUF", "TestSupport"]),
    .testTarget(
      name: "ModelsTests",
      dependencies: ["Models", "Compute", "GGUF", "Persistence", "TestSupport"]),
    .testTarget(
      name: "ImagesTests", dependencies: ["Images", "JSON", "Persistence", "TestSupport"]),
    .testTarget(
      name: "SpeechTests",
      dependencies: [
        "Speech", "Audio", "Compute", "GGUF", "JSON", "Models", "Synthetic", "TestSupport",
      ]),
    .testTarget(name: "AudioTests", dependencies: ["Audio", "JSON", "TestSupport"]),
    .testTarget(
      name: "VisionTests",
      dependencies: ["Vision", "Compute", "GGUF", "JSON", "Models", "Synthetic", "TestSupport"]),
    .testTarget(
      name: "TokenizerTests", dependencies: ["Tokenizer", "GGUF", "Persistence", "TestSupport"]),
    .testTarget(name: "TemplatesTests", dependencies: ["Templates", "JSON", "TestSupport"]),
    .testTarget(name: "SamplingTests", dependencies: ["Sampling", "JSON", "TestSupport"]),
    .testTarget(
      name: "GrammarTests",
      dependencies: ["Grammar", "Sampling", "JSON", "Tokenizer", "GGUF", "TestSupport"]),
    .testTarget(name: "ToolCallsTests", dependencies: ["ToolCalls", "JSON", "TestSupport"]),
    .testTarget(
      name: "GenerationTests",
      dependencies: [
        "Generation", "Audio", "Compute", "GGUF", "Images", "JSON", "Models", "Persistence",
        "Sampling", "Speech", "Synthetic", "TestSupport",
      ]),
    .testTarget(
      name: "LeapSDKTests",
      dependencies: [
        "LeapSDK", "Audio", "ModelLibrary", "Generation", "JSON", "Synthetic", "ToolCalls",
        "TestSupport",
      ]),
    .testTarget(
      name: "LeapModelDownloaderTests",
      dependencies: ["LeapModelDownloader", "ModelLibrary", "FaultServer", "TestSupport"]),
    // The same clients in both language modes; the second folder is a symlink to the first.
    .testTarget(
      name: "CompatibilityTests",
      dependencies: ["LeapSDK", "LeapModelDownloader", "FaultServer", "TestSupport"]),
    .testTarget(
      name: "CompatibilityTestsSwift5",
      dependencies: ["LeapSDK", "LeapModelDownloader", "FaultServer", "TestSupport"],
      swiftSettings: [.swiftLanguageMode(.v5)]),
    .testTarget(
      name: "CommandLineTests",
      // The programs themselves are run, so they must have been built.
      dependencies: [
        "CommandLineSupport", "Audio", "FaultServer", "GGUF", "JSON", "ModelLibrary", "Synthetic",
        "TestSupport", "leap", "bench",
      ]),
  ] + kernelVariants + macroPlugin,
  swiftLanguageModes: [.v6]
)
