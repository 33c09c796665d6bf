import LeapSDK

let runner = try await Leap.load(model: "Tiny", quantization: "Q4_K_M")
let conversation = runner.createConversation()
let options = GenerationOptions(temperature: 0)
for try await response in conversation.generateResponse(
  userTextMessage: "What is the capital of France?", generationOptions: options)
{
  if case .chunk(let text) = response { print(text, terminator: "") }
}
print()
