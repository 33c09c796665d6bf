import Audio

/// One part of a message.
public enum ChatMessageContent: Sendable, Equatable {
  /// Plain text.
  case text(String)
  /// A JPEG file's bytes.
  case image(Data)
  /// A WAV file's bytes.
  case audio(Data)

  /// An image from the bytes of a JPEG file.
  public static func fromJPEGData(_ data: Data) -> ChatMessageContent { .image(data) }

  /// Audio from the bytes of a WAV file.
  public static func fromWAVData(_ data: Data) -> ChatMessageContent { .audio(data) }

  /// Samples from -1 to 1, interleaved if there are several channels, as models hear them: resampled
  /// to one channel of 16,000 samples a second, in a WAV file. Samples that are not finite become
  /// silence. A rate or number of channels that makes no sense is kept as it is and refused when the
  /// message is sent.
  public static func fromFloatSamples(
    _ samples: [Float], sampleRate: Int, channelCount: Int = 1
  ) -> ChatMessageContent {
    .audio(
      (try? WAVFile.forModel(samples, sampleRate: sampleRate, channelCount: channelCount))
        ?? WAVFile.data(samples, sampleRate: sampleRate, channelCount: channelCount))
  }
}

#if canImport(UIKit)
  import UIKit

  extension ChatMessageContent {
    public static func fromUIImage(
      _ image: UIImage, compressionQuality: CGFloat = 0.85
    ) throws -> ChatMessageContent {
      guard let data = image.jpegData(compressionQuality: compressionQuality) else {
        throw LeapError.serializationFailure("The image cannot be written as JPEG.", nil)
      }
      return .image(data)
    }
  }
#endif

#if canImport(AppKit) && !targetEnvironment(macCatalyst)
  import AppKit

  extension ChatMessageContent {
    public static func fromNSImage(
      _ image: NSImage, compressionQuality: CGFloat = 0.85
    ) throws -> ChatMessageContent {
      guard let tiff = image.tiffRepresentation, let bitmap = NSBitmapImageRep(data: tiff),
        let data = bitmap.representation(
          using: .jpeg, properties: [.compressionFactor: compressionQuality])
      else {
        throw LeapError.serializationFailure("The image cannot be written as JPEG.", nil)
      }
      return .image(data)
    }
  }
#endif
