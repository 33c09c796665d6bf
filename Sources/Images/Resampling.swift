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
    let narrow =
      size.width == image.width
      ? cutRows(of: image, sourceRows, columns)
      : resizedRows(
        of: image, sourceRows, columns, ResamplingWeights(from: image.width, to: size.width))
    guard let down else { return narrow }
    return resizedColumns(
      of: narrow, rowLength: columns.count * 3, firstRow: sourceRows.lowerBound, rows, down)
  }

  /// The wanted columns of some rows, as they are.
  private static func cutRows(
    of image: RGBImage, _ rows: Range<Int>, _ columns: Range<Int>
  ) -> [UInt8] {
    var samples: [UInt8] = []
    samples.reserveCapacity(rows.count * columns.count * 3)
    for row in rows {
      let start = (row * image.width + columns.lowerBound) * 3
      samples += image.pixels[start..<start + columns.count * 3]
    }
    return samples
  }

  /// Some rows, resized to the wanted columns.
  private static func resizedRows(
    of image: RGBImage, _ rows: Range<Int>, _ columns: Range<Int>, _ weights: ResamplingWeights
  ) -> [UInt8] {
    let pass = RowPass(weights, columns, rowLength: image.width * 3)
    return [UInt8](unsafeUninitializedCapacity: rows.count * pass.outLength) { result, count in
      count = rows.count * pass.outLength
      image.pixels.withUnsafeBytes { pixels in
        guard let pixels = pixels.baseAddress, let result = result.baseAddress else { return }
        pass.resize(pixels + rows.lowerBound * pass.rowLength, rows: rows.count, result)
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
    [UInt8](unsafeUninitializedCapacity: rows.count * rowLength) { result, count in
      count = rows.count * rowLength
      samples.withUnsafeBytes { samples in
        guard let samples = samples.baseAddress, let result = result.baseAddress else { return }
        for row in rows {
          let first = samples + (weights.starts[row] - firstRow) * rowLength
          let out = result + (row - rows.lowerBound) * rowLength
          weights.withTaps(of: row) { taps in
            let whole = rowLength & ~15
            for index in stride(from: 0, to: whole, by: 16) {
              weightedSixteen(first + index, stride: rowLength, taps, out + index)
            }
            for index in whole..<rowLength {
              out[index] = weightedSum(first + index, stride: rowLength, taps)
            }
          }
        }
      }
    }
  }
}
