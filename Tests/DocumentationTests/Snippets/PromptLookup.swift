import LeapSDK

func lookUpInOneAnswer() {
  var options = GenerationOptions()
  options.extras = #"{"lookup": true}"#
  _ = options
}

func lookUpInAllAnswers() {
  let options = LiquidInferenceEngineOptions(
    bundlePath: "model.gguf",
    extras: #"{"lookup": true}"#)
  _ = options
}
