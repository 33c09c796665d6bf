/// Resizes pictures as the reference processor does: across first, rounded to bytes, then down.
enum Resampling {
  /// A part of a picture stretched to a size.
  ///
  /// - Parameters:
  ///   - image: the whole picture.
  ///   - size: what the whole picture would be stretched to.
  ///   - columns, rows: the part of that which is wanted.
  /// - Returns: (rows, columns, 3) samples.
  static func part(
    of image: RGBImage, stretchedTo size: (width: Int, height: Int), columns: Range<Int>,
    rows: Range<Int>
  ) -> [UInt8] {
    let down =
      size.height == image.height ? nil : ResamplingWeights(from: image.height, to: size.height)
    let sourceRows = down?.sources(of: rows) ?? rows
    let across =
      size.width == image.width ? nil : ResamplingWeights(from: image.width, to: size.width)
    let narrow = resizedRows(of: image, sourceRows, columns, across)
    guard let down else { return narrow }
    return resizedColumns(
      of: narrow, rowLength: columns.count * 3, firstRow: sourceRows.lowerBound, rows, down)
  }

  /// The wanted columns of some rows.
  private static func resizedRows(
    of image: RGBImage, _ rows: Range<Int>, _ columns: Range<Int>, _ weights: ResamplingWeights?
  ) -> [UInt8] {
    let length = columns.count * 3
    return [UInt8](unsafeUninitializedCapacity: rows.count * length) { result, count in
      count = rows.count * length
      image.pixels.withUnsafeBufferPointer { pixels in
        for row in rows {
          let source = UnsafeBufferPointer(
            rebasing: pixels[row * image.width * 3..<(row + 1) * image.width * 3])
          let start = (row - rows.lowerBound) * length
          let target = UnsafeMutableBufferPointer(rebasing: result[start..<start + length])
          if let weights {
            resizeRow(source, columns, weights, target)
          } else {
            _ = target.initialize(
              fromContentsOf: source[columns.lowerBound * 3..<columns.upperBound * 3])
          }
        }
      }
    }
  }

  private static func resizeRow(
    _ source: UnsafeBufferPointer<UInt8>, _ columns: Range<Int>, _ weights: ResamplingWeights,
    _ target: UnsafeMutableBufferPointer<UInt8>
  ) {
    let half = Int32(1) << (weights.bits - 1)
    weights.values.withUnsafeBufferPointer { values in
      for column in columns {
        var (red, green, blue) = (half, half, half)
        var sample = weights.starts[column] * 3
        let first = column * weights.stride
        for tap in first..<first + weights.counts[column] {
          let weight = Int32(values[tap])
          red &+= weight &* Int32(source[sample])
          green &+= weight &* Int32(source[sample + 1])
          blue &+= weight &* Int32(source[sample + 2])
          sample += 3
        }
        let place = (column - columns.lowerBound) * 3
        target[place] = UInt8(clamping: red >> weights.bits)
        target[place + 1] = UInt8(clamping: green >> weights.bits)
        target[place + 2] = UInt8(clamping: blue >> weights.bits)
      }
    }
  }

  /// - Parameters:
  ///   - samples: the rows from `firstRow` of the picture on, each of `rowLength` samples.
  ///   - rows: those of the result.
  private static func resizedColumns(
    of samples: [UInt8], rowLength: Int, firstRow: Int, _ rows: Range<Int>,
    _ weights: ResamplingWeights
  ) -> [UInt8] {
    var sums = [Int32](repeating: 0, count: rowLength)
    return [UInt8](unsafeUninitializedCapacity: rows.count * rowLength) { result, count in
      count = rows.count * rowLength
      samples.withUnsafeBufferPointer { samples in
        sums.withUnsafeMutableBufferPointer { sums in
          for row in rows {
            sums.update(repeating: Int32(1) << (weights.bits - 1))
            for tap in 0..<weights.counts[row] {
              let weight = Int32(weights.values[row * weights.stride + tap])
              let start = (weights.starts[row] + tap - firstRow) * rowLength
              let source = UnsafeBufferPointer(rebasing: samples[start..<start + rowLength])
              for index in 0..<rowLength { sums[index] &+= weight &* Int32(source[index]) }
            }
            let start = (row - rows.lowerBound) * rowLength
            let target = UnsafeMutableBufferPointer(rebasing: result[start..<start + rowLength])
            for index in 0..<rowLength {
              target[index] = UInt8(clamping: sums[index] >> Int32(weights.bits))
            }
          }
        }
      }
    }
  }
}
