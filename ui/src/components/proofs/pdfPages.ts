// Pictures of the first pages of a PDF: phones show no PDF within a page. Made in the browser; the reader of PDFs is
// loaded when the first one is chosen.
import { getDocument, type PDFDocumentProxy, PDFWorker } from "pdfjs-dist/legacy/build/pdf.mjs";
import Reader from "pdfjs-dist/legacy/build/pdf.worker.min.mjs?worker";
import { pageLimit } from "./proofForm";

/** Of the longer side. */
const largestPx = 1_600;

/** Time for all pages, also of a damaged or hostile file. */
const limitMs = 20_000;

/** Rejects when no page can be shown within the time. */
export async function picturesOfPdf(file: File): Promise<File[]> {
  const reader = new Reader();
  const loading = getDocument({
    data: await file.arrayBuffer(),
    // Without the warnings about what a file lacks.
    worker: PDFWorker.create({ port: reader, verbosity: 0 }),
    verbosity: 0,
    // The Content-Security-Policy allows no WebAssembly.
    useWasm: false,
    useWorkerFetch: false,
  });
  const late = new Promise<never>((_, reject) => setTimeout(reject, limitMs, new Error("too slow")));
  try {
    return await Promise.race([loading.promise.then(drawn), late]);
  } finally {
    loading.destroy().catch(() => {});
    reader.terminate();
  }
}

async function drawn(pdf: PDFDocumentProxy): Promise<File[]> {
  const pictures: File[] = [];
  for (let number = 1; number <= Math.min(pdf.numPages, pageLimit); number++) {
    pictures.push(await picture(pdf, number));
  }
  return pictures;
}

async function picture(pdf: PDFDocumentProxy, number: number): Promise<File> {
  const page = await pdf.getPage(number);
  const { width, height } = page.getViewport({ scale: 1 });
  const viewport = page.getViewport({ scale: largestPx / Math.max(width, height) });
  const canvas = document.createElement("canvas");
  canvas.width = Math.floor(viewport.width);
  canvas.height = Math.floor(viewport.height);
  await page.render({ canvas, viewport, background: "white" }).promise;
  const content = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/jpeg", 0.85));
  // The memory of phones is small.
  canvas.width = 0;
  if (content === null) throw new Error("no picture");
  return new File([content], `seite-${number}.jpg`, { type: "image/jpeg" });
}
