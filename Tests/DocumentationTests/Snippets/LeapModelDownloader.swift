import LeapModelDownloader

func prepare() async throws {
  let downloader = ModelDownloader()
  if downloader.queryStatus("LFM2.5-1.2B-Instruct", quantization: "Q4_K_M") != .downloaded {
    try await downloader.downloadModel("LFM2.5-1.2B-Instruct", quantization: "Q4_K_M") {
      progress, bytesPerSecond in
      print("\(Int(progress * 100)) %, \(bytesPerSecond / 1_000_000) MB/s")
    }
  }
  // No request is made from here on.
  let runner = try await Leap.load(model: "LFM2.5-1.2B-Instruct", quantization: "Q4_K_M")
  print(runner.modelId)
}

func explain(_ error: any Error) -> String {
  switch error {
  case ModelDownloadError.downloadInsufficientSpace(let needed, let free):
    "Please make room: \((needed - free) / 1_000_000) MB are missing."
  case ModelDownloadError.downloadNetworkError: "Please check the connection."
  default: error.localizedDescription
  }
}
