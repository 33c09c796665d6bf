extension RGBImage {
  /// The picture as it is meant to be seen, given the orientation its file states.
  func upright(from orientation: ExifOrientation) throws(ImageError) -> RGBImage {
    if orientation == .upright { return self }
    let uprightWidth = orientation.swapsSides ? height : width
    let uprightHeight = orientation.swapsSides ? width : height
    // The upright pixel (x, y) is the stored sample at `origin + x * columnStep + y * rowStep`.
    var (columnStep, rowStep) = (3, 3 * width)
    if orientation.swapsSides { swap(&columnStep, &rowStep) }
    var origin = 0
    if orientation.reversesColumns {
      origin += (uprightWidth - 1) * columnStep
      columnStep.negate()
    }
    if orientation.reversesRows {
      origin += (uprightHeight - 1) * rowStep
      rowStep.negate()
    }

    var turned = [UInt8](repeating: 0, count: pixels.count)
    var target = turned.mutableSpan
    let stored = pixels.span
    // Strips of columns: where rows become columns, a whole row would touch more stored rows than
    // the processor's caches hold.
    let stripWidth = 64
    for strip in stride(from: 0, to: uprightWidth, by: stripWidth) {
      let columns = strip..<min(strip + stripWidth, uprightWidth)
      for y in 0..<uprightHeight {
        var source = origin + strip * columnStep + y * rowStep
        var position = 3 * (y * uprightWidth + strip)
        for _ in columns {
          target[position] = stored[source]
          target[position + 1] = stored[source + 1]
          target[position + 2] = stored[source + 2]
          position += 3
          source += columnStep
        }
      }
    }
    return try RGBImage(width: uprightWidth, height: uprightHeight, pixels: turned)
  }
}
